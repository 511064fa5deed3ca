create table if not exists stock (
  product_id uuid primary key,
  on_hand int not null check (on_hand >= 0)
);
create table if not exists movements (
  movement_id uuid primary key,
  product_id uuid not null,
  order_id uuid not null,
  kind text not null check (kind in ('RESERVED', 'REJECTED', 'RELEASED')),
  quantity int not null,
  moved_at timestamptz not null default now()
);
create index if not exists movements_by_order on movements (order_id);
