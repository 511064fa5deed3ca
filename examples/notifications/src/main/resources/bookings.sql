create table if not exists subjects (
    kind VARCHAR(20) not null,
    id BIGINT not null,
    events BIGINT not null,
    primary key (kind, id));

create table if not exists records (
    id VARCHAR(64) primary key,
    kind VARCHAR(20) not null,
    subject_id BIGINT not null,
    people INTEGER not null check (people > 0));
