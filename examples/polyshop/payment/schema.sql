-- outbox_events is created by waybill init, or by TableSchema as the driver does.
create table if not exists payments (
  payment_id uuid primary key,
  order_id uuid not null unique,
  amount bigint not null,
  status text not null check (status in ('INITIATED', 'SUCCESS', 'FAILED')),
  initiated_at timestamptz not null default now(),
  traceparent text,
  correlation_id text,
  user_id text
);
create table if not exists reserved_items (
  movement_id uuid primary key,
  order_id uuid not null,
  amount bigint not null
);
create index if not exists reserved_items_by_order on reserved_items (order_id);
create table if not exists processed_events (
  event_id uuid primary key,
  processed_at timestamptz not null,
  event_type text,
  source text
);
