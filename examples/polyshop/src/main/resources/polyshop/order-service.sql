create table if not exists orders (
  order_id uuid primary key,
  user_id uuid not null,
  email text not null,
  total_amount bigint not null,
  status text not null,
  reserved_items int not null
);
create table if not exists order_items (
  order_id uuid not null references orders,
  product_id uuid not null,
  quantity int not null,
  unit_price bigint not null,
  primary key (order_id, product_id)
);
