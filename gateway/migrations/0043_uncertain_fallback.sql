-- Whether the next step of a flow starts when it is not known whether a step was delivered.
alter table accounts add column uncertain_fallback text not null default 'always'
  check (uncertain_fallback in ('always', 'after-timeout', 'never'));
