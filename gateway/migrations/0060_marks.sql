-- Rules about marks in texts: on in a new installation only, so that an upgrade refuses nothing.
insert into trust_rules (rule, enabled, changed_by, reason)
select rule, not exists (select from accounts), 'migration',
       case when exists (select from accounts) then 'the installation was in use before the rule' else 'a new installation' end
  from unnest(array['kakao-advertisement-flag', 'carrier-mark-not-in-text']) as rule;
