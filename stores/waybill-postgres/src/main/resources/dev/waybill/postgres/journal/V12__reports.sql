-- What each process reports of its relays, for people: [{relay, phase, since, problem}]. since and problem are null unless it fails.
alter table waybill.process add column reports jsonb not null default '[]';
