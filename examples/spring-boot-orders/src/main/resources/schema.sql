create table if not exists movement (order_id uuid, item text);
