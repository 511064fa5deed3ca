create table if not exists recipients (
    aggregate_type VARCHAR(20) not null,
    aggregate_id BIGINT not null,
    user_id BIGINT not null,
    channel VARCHAR(10) not null,
    primary key (aggregate_type, aggregate_id, user_id, channel));

create table if not exists restaurant_notification (
    id BIGINT auto_increment primary key,
    event_id VARCHAR(255) not null,
    event_type VARCHAR(100) not null,
    user_id BIGINT not null,
    channel VARCHAR(10) not null,
    unique (event_id, user_id, channel));

create table if not exists customer_notification like restaurant_notification;
create table if not exists agency_notification like restaurant_notification;
create table if not exists admin_notification like restaurant_notification;
