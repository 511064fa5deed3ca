-- outbox_events is created by waybill init, or by TableSchema as the driver does.
create table if not exists notifications (
  notification_id uuid primary key,
  order_id uuid not null,
  kind text not null,
  status text not null check (status in ('QUEUED', 'SENT')),
  queued_at timestamptz not null default now(),
  traceparent text,
  correlation_id text,
  user_id text
);
create index if not exists notifications_queued on notifications (queued_at) where status = 'QUEUED';
create table if not exists recipients (
  order_id uuid primary key,
  email text not null
);
create table if not exists processed_events (
  event_id uuid primary key,
  processed_at timestamptz not null,
  event_type text,
  source text
);
