create table if not exists orders (
    id UUID primary key,
    customer VARCHAR(255) not null,
    status VARCHAR(50) not null,
    total_cents BIGINT not null);

create table if not exists order_items (
    order_id UUID not null references orders,
    product VARCHAR(255) not null,
    quantity INTEGER not null check (quantity > 0),
    price_cents BIGINT not null);

create table if not exists outbox (
    id UUID primary key,
    aggregate_type VARCHAR(255) not null,
    aggregate_id UUID not null,
    event_type VARCHAR(255) not null,
    payload TEXT not null,
    status VARCHAR(50) not null,
    created_at TIMESTAMP not null,
    sent_at TIMESTAMP null,
    error_message TEXT null);

create index if not exists idx_outbox_status_created on outbox (status, created_at);
create index if not exists idx_outbox_aggregate on outbox (aggregate_id);
