create table if not exists products (
  product_id uuid primary key,
  name text not null,
  price bigint not null
);
