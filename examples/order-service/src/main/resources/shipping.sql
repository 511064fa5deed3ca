create table if not exists shipments (
    id BIGINT generated always as identity primary key,
    order_id UUID not null,
    customer VARCHAR(255) not null,
    pieces INTEGER not null,
    total_cents BIGINT not null);

create table if not exists cancellations (
    id BIGINT generated always as identity primary key,
    order_id UUID not null);
