create table if not exists event_counts (
  event_type text primary key,
  events bigint not null
);
create table if not exists revenue (
  day date primary key,
  amount bigint not null
);
