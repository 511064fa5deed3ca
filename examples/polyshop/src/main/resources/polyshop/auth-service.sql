create table if not exists users (
  user_id uuid primary key,
  email text not null,
  name text not null
);
