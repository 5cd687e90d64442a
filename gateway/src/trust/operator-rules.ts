/** Rules on the people who run the gateway, and on the record of what they do. They concern commands, not messages. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const safety = {
  text: 'Notice on safety measures for personal data, articles 2, 5, 6, 8 and 12',
  date: '2026',
} as const
const guideline = {
  text: 'Guideline on the qualification for sending, parts 3 and 4, second-hand',
  date: '2026',
} as const
const practice = { text: 'Practice of audit logs at GitHub, GitLab and WorkOS', date: '2026' } as const

const audit = 'gateway/src/audit/audit.test.ts'
const commands = 'gateway/src/commands/every-command.test.ts'
const operators = 'gateway/src/commands/operator/operators.test.ts'
const signIn = 'gateway/src/admin/sign-in/password.test.ts'
const enforcedAt = ['command'] as const

export const operatorRules = [
  {
    id: 'act-recorded',
    demands:
      'Every act of an operator is recorded with time, person, role, key, host, object, account, reason, result and what changed: in the transaction of the act, or, where it takes more than one, by a row before it (`begun`) and one after it.',
    source: practice,
    enforcedAt,
    test: commands,
  },
  {
    id: 'record-without-secrets',
    demands: 'The record holds no secret and no whole number of a recipient.',
    source: guideline,
    enforcedAt,
    test: commands,
  },
  {
    id: 'record-append-only',
    demands: 'Nobody updates, deletes or truncates the record, the owner of the tables included.',
    source: guideline,
    enforcedAt: ['storage'],
    test: audit,
  },
  {
    id: 'record-chained',
    demands:
      'Each row holds the hash of the one before it, and a verification names the first row that was changed, removed or moved; with a checkpoint also a cut end.',
    source: practice,
    enforcedAt: ['storage'],
    test: audit,
  },
  {
    id: 'record-kept',
    demands:
      'Records of access are kept for one year, for two with 50,000 persons or more, and grants of rights for three. They are never deleted.',
    source: safety,
    enforcedAt: ['storage'],
    test: audit,
  },
  {
    id: 'look-recorded',
    demands:
      'Numbers, contents and proofs are masked. Who sees or exports them has the right to, gives a reason, and is recorded. The sandbox of the console is exempt: what went over sandbox routes alone is shown with the right `sandbox`.',
    source: safety,
    enforcedAt,
    test: operators,
  },
  {
    id: 'operator-has-right',
    demands:
      'Each operator signs in with a key of their own, and a command needs a right that their role has. The table of rights is the one that is enforced.',
    source: guideline,
    enforcedAt,
    settings: ['POSTERN_OPERATOR_KEY'],
    test: operators,
  },
  {
    id: 'operator-leaves',
    demands: 'An operator who leaves is refused at once.',
    source: guideline,
    enforcedAt,
    test: operators,
  },
  {
    id: 'first-key-replaced',
    demands: 'A key that somebody else made is replaced before anything else is done with it.',
    source: guideline,
    enforcedAt,
    test: operators,
  },
  {
    id: 'refusal-recorded',
    demands: 'A failed sign-in and a command without the right are recorded.',
    source: guideline,
    enforcedAt,
    test: operators,
  },
  {
    id: 'operator-second-factor',
    demands:
      'Whoever signs in to the console with a password, operators and users of customers alike, gives a second factor of their own; with an OpenID Connect provider, what the provider demands. Keys, for commands and programs, have none.',
    source: safety,
    enforcedAt: ['authentication'],
    settings: ['POSTERN_ADMIN_OIDC_ISSUER'],
    test: signIn,
  },
  {
    id: 'operator-lockout',
    demands:
      'After five wrong tries a sign-in waits for half a minute, doubled with each up to half an hour; after 30 wrong codes the second factor is locked. A session ends after half an hour without a request, and after twelve in any case, or as is set.',
    source: guideline,
    enforcedAt: ['authentication'],
    settings: ['POSTERN_ADMIN_SESSION_IDLE_MINUTES', 'POSTERN_ADMIN_SESSION_HOURS'],
    test: ['gateway/src/admin/sign-in/pauses.test.ts', signIn, 'gateway/src/admin/sign-in/sessions.test.ts'],
  },
  {
    id: 'first-password-replaced',
    demands:
      'A first password is replaced before anything else is done with it, by operators and by users of customers. Passwords of accounts are for machines, and are handed over by the operator.',
    source: guideline,
    enforcedAt: ['authentication'],
    test: signIn,
  },
] as const satisfies readonly EnforcedRule[]

export const omittedOperatorRules = [
  {
    id: 'operators-required',
    demands: 'Every person who runs a command is identified.',
    omitted:
      'An installation without operators keeps working: commands run as the user of the system, who is recorded. Add operators with `postern operator add`; from the first one on every command needs a key.',
    source: safety,
  },
  {
    id: 'command-second-factor',
    demands: 'Whoever runs commands from outside gives a second factor or comes over a VPN.',
    omitted:
      'A command needs the key of its operator, and a host or a profile that has it. Demand the second factor at that host, or use the console.',
    source: safety,
  },
  {
    id: 'operator-networks',
    demands:
      'The console and the admin API refuse foreign addresses; exceptions have a reason, an approver and an end.',
    omitted:
      'The admin API has a port of its own, on loopback unless it is set. Let a firewall, a VPN or a proxy decide who reaches it.',
    source: guideline,
  },
  {
    id: 'tail-published',
    demands: 'The end of the record is published elsewhere every day.',
    omitted:
      'A worker writes it to its log every hour, and `postern audit checkpoint` prints it. Keep one of them on another system: the gateway cannot prove to itself that nothing was cut off.',
    source: practice,
  },
  {
    id: 'correction-confirmed',
    demands: 'A correction points to the old record and is confirmed by another person than its author.',
    omitted:
      'Records cannot be changed, and a later one corrects them by its reason. The confirmation is an organisational step of the monthly review.',
    source: guideline,
  },
] as const satisfies readonly OmittedRule[]
