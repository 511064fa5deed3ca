create table if not exists product_index (
  product_id uuid primary key,
  name text,
  price bigint,
  price_changed boolean not null default false
);
