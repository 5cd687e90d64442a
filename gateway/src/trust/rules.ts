/**
 * The trust rules that check messages, senders and origin codes. The groups (`rule-groups.ts`) evaluate them. docs/trust.md lists them
 * with their legal sources and tests.
 */
import type { Cause } from '../channels/cause.ts'
import type { ResultCode } from '../contract/result-codes.ts'

/** `registration`: when an operator registers a sender. `start`: the process does not start if it is violated. */
export type EnforcementPoint =
  'accept' | 'submission' | 'routing' | 'registration' | 'start' | 'storage' | 'command'

export interface TrustRule {
  /** Printed by commands, stored in attempts, and the anchor of the rule in docs/trust.md. */
  readonly id: string
  readonly demands: string
  /** Initial state of the switch. Without it the rule has no switch and is always on. */
  readonly initiallyOn?: boolean
  readonly enforcedAt: readonly EnforcementPoint[]
  /** Environment variables that change what the rule demands. */
  readonly settings?: readonly string[]
  /** The command that changes what the rule demands, for the page of the rules. */
  readonly command?: string
  /** Result code of a refused request. */
  readonly code?: ResultCode
  /** Cause of a step that fails at submission; `channels/report-codes.ts` has the report codes. */
  readonly cause?: Cause
}

const allRules = [
  // Senders
  {
    id: 'sender-number-registered',
    demands:
      'SMS and MMS are sent from a number that is registered for the account and active, fallback steps included.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'sender-not-blocked',
    demands:
      'Nothing is sent from a sender that an operator has blocked for the account, whatever rules are on and whatever kind it was blocked as.',
    enforcedAt: ['accept', 'submission'],
    code: 'A323',
    cause: 'unregistered-sender',
  },
  {
    id: 'international-sender-registered',
    demands:
      'International SMS are sent from a registered number, a registered number of another country or a registered alphanumeric sender ID. A message to +82 is a domestic message, which only a Korean number may send.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'rcs-chatbot-registered',
    demands: 'RCS is sent from a registered chatbot.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'rcs-brand-registered',
    demands:
      'The brandKey of an RCS message, if it has one, is registered. A message without one takes no route that would send it under a brand that others use too (`rbm` with `agentId` and `agents`).',
    initiallyOn: true,
    enforcedAt: ['accept', 'routing', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'kakao-key-registered',
    demands: 'Alimtalk, friendtalk and brand messages are sent with a registered senderKey.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'kakao-template-registered',
    demands: 'The templateCode of an alimtalk or brand message, if it has one, is registered.',
    initiallyOn: false,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'sender-number-kind',
    demands:
      'Special numbers send only if they are registered for the account or the installation allows their kind; old mobile and forwarding numbers only if the installation allows their kind.',
    enforcedAt: ['accept'],
    settings: ['POSTERN_SENDER_KINDS'],
    code: 'A302',
  },
  {
    id: 'sender-number-shape',
    demands:
      'A sender number has a form of the Korean numbering plan: 010-2 to 010-9, 070-2 to 070-9, an area code that exists, exactly eight digits for 15xx, 16xx and 18xx. Premium numbers (060) only if they are registered.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A302',
  },
  {
    id: 'sender-form-at-registration',
    demands:
      'A number is registered only in a form that may send; forwarding (050) and old mobile numbers only if the installation allows their kind.',
    enforcedAt: ['registration'],
  },
  {
    id: 'sender-approved',
    demands:
      'A sender becomes active only by the approval of an operator, and a number only with a recorded proof; until then it is pending. So are numbers of another holder and numbers above the usual count per account.',
    enforcedAt: ['registration'],
  },
  {
    id: 'certificate-recent',
    demands: 'A certificate of the telephone operator is at most three months old when it is used as proof.',
    enforcedAt: ['registration'],
  },
  {
    id: 'sandbox-account',
    demands:
      'Messages of a sandbox account reach sandbox routes only; in return it needs no registered sender.',
    enforcedAt: ['routing', 'submission'],
    cause: 'no-route',
  },

  // Origin codes
  {
    id: 'origin-code-shape',
    demands:
      'An originCID that a client gives, and the codes of accounts and of the operator, match POSTERN_ORIGIN_PATTERN; without it they have nine digits.',
    enforcedAt: ['accept', 'command', 'start'],
    settings: ['POSTERN_ORIGIN_PATTERN'],
    code: 'A300',
  },
  {
    id: 'origin-code-owned',
    demands:
      'An originCID that a client gives is a code of its account, or that of the operator unless the account is a reseller.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    settings: ['POSTERN_ORIGIN_CODE'],
    code: 'A300',
    cause: 'origin-code',
  },
  {
    id: 'origin-code-present',
    demands:
      'Every SMS and MMS has a code: the one given, else the first of the account, else that of the operator; a reseller needs its own. While it is on, a process does not start without POSTERN_ORIGIN_CODE.',
    initiallyOn: false,
    enforcedAt: ['accept', 'submission', 'start'],
    settings: ['POSTERN_ORIGIN_CODE'],
    code: 'A300',
    cause: 'origin-code',
  },
  {
    id: 'origin-code-carried',
    demands: 'SMS and MMS take only routes whose protocol and options have a place for the code.',
    initiallyOn: false,
    enforcedAt: ['routing'],
  },
  {
    id: 'origin-code-unchanged',
    demands: 'The code reaches the carrier as it was given or set, in fallback steps too.',
    enforcedAt: ['submission'],
  },

  // Advertisements
  {
    id: 'advertisement-mark',
    demands:
      'The text of an SMS or MMS advertisement begins with (광고) in exactly this form, not only its title or an image. Forms that hide the mark, such as (광 고), [광고] and (대출광고), and a mark behind symbols or other brackets are refused.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A340',
  },
  {
    id: 'advertisement-opt-out',
    demands:
      'The last line of an SMS or MMS advertisement has 무료수신거부 or 무료거부 and an 080 number, unless it is sent from an 080 number.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A340',
  },
  {
    id: 'advertisement-sender-name',
    demands:
      'After the mark an SMS or MMS advertisement names its sender, by a name that is registered for the account. Off until names are registered.',
    command: 'postern trust advertising',
    initiallyOn: false,
    enforcedAt: ['accept', 'submission'],
    code: 'A340',
    cause: 'advertisement-form',
  },
  {
    id: 'advertisement-opt-out-registered',
    demands:
      'The 080 number of an SMS, MMS or RCS advertisement is registered for the account. Off until the numbers are registered.',
    command: 'postern trust advertising',
    initiallyOn: false,
    enforcedAt: ['accept', 'submission'],
    code: 'A340',
    cause: 'advertisement-form',
  },
  {
    id: 'rcs-advertisement-header',
    demands:
      'No text of an RCS message contains (광고) or begins with another form of it: an RCS advertisement has header 1 and a footer.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A340',
  },
  {
    id: 'alimtalk-not-advertisement',
    demands: 'An alimtalk has no mark of an advertisement.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A340',
  },
  {
    id: 'kakao-advertisement-flag',
    demands:
      'A friendtalk or brand message with adFlag N has no mark of an advertisement. With one it is an advertisement, whatever the flag says: hours and opt-outs apply even when this rule is off.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A340',
  },
  {
    id: 'advertisement-quiet-hours',
    demands:
      'No advertisement to a Korean number is handed to a carrier from 20:50 to 08:00 (the law: 21:00), unless the recipient has agreed to the night; the hours of sending can be shorter by account and channel. An advertisement of the night moves to the next step if that is no advertisement, and is refused otherwise; the operator can have it refused always or held until the morning.',
    command: 'postern trust quiet-hours',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A341',
    cause: 'night-hours',
  },
  {
    id: 'advertisement-country-hours',
    demands:
      'No advertisement is sent abroad outside the hours of the recipient’s country, where these are known; none to Vietnam.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    settings: ['POSTERN_COUNTRY_HOURS'],
    code: 'A341',
    cause: 'night-hours',
  },
  {
    id: 'recipient-not-suppressed',
    demands:
      'No advertisement is sent to a recipient who has opted out of those of the account, or whom the operator has suppressed for all accounts.',
    enforcedAt: ['accept', 'submission'],
    code: 'A324',
    cause: 'suppressed',
  },
  {
    id: 'opt-out-by-reply',
    demands:
      'A reply of one word such as STOP, UNSUBSCRIBE or 수신거부, in any case, opts the recipient out of the advertisements of the account that the number is registered for; START and the like take it back.',
    enforcedAt: ['storage'],
    settings: ['POSTERN_OPT_OUT_WORDS', 'POSTERN_OPT_IN_WORDS'],
  },
  {
    id: 'advertisement-consent',
    demands:
      'Advertisements are sent only to recipients whose consent is recorded with its date. Off until consents are imported.',
    command: 'postern suppression import --state agreed',
    initiallyOn: false,
    enforcedAt: ['accept', 'submission'],
    code: 'A324',
    cause: 'suppressed',
  },

  // Abuse
  {
    id: 'account-stopped',
    demands:
      'Nothing that a blocked account has accepted is submitted: neither its backlog nor scheduled messages nor later steps. What waits ends, or is held until the account is unblocked. Its webhooks pause. The block is kept with its reason, who ordered it, the notice to the customer and what became of the messages.',
    enforcedAt: ['submission'],
    cause: 'account-stopped',
  },
  {
    id: 'country-enabled',
    demands:
      'International messages go only to countries that are enabled for the account. A new account has none.',
    command: 'postern protection set --countries',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A342',
    cause: 'no-route',
  },
  {
    id: 'premium-recipient',
    demands:
      'A recipient is no premium, freephone, shared-cost, personal or satellite number: by codes of no country, and by prefixes of the countries that are listed in `country-codes.ts`.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A306',
  },
  {
    id: 'message-cap',
    demands:
      'An account sends no more than its caps by day and month, in all, by channel and by country. A new account begins with `POSTERN_NEW_ACCOUNT_DAY_CAP` messages per day. They fail closed: a message that cannot be counted is refused as busy.',
    command: 'postern protection cap',
    enforcedAt: ['accept'],
    settings: ['POSTERN_TIME_ZONE', 'POSTERN_NEW_ACCOUNT_DAY_CAP'],
    code: 'A343',
  },
  {
    id: 'recipient-velocity',
    demands:
      'An account sends 20 messages per hour to one number, at most 20 at once, or as many as are set for it, through all API processes of a cell together.',
    initiallyOn: false,
    enforcedAt: ['accept'],
    settings: ['POSTERN_RECIPIENT_PER_HOUR'],
    code: 'A344',
  },
  {
    id: 'prefix-velocity',
    demands:
      'An account sends 200 messages per ten minutes to numbers that differ in the last three digits only, at most 200 at once, or as many as are set for it, through all API processes of a cell together.',
    initiallyOn: false,
    enforcedAt: ['accept'],
    settings: ['POSTERN_PREFIX_PER_TEN_MINUTES'],
    code: 'A344',
  },
  {
    id: 'sequential-numbers',
    demands:
      'Of the last 50 different recipients of an account fewer than 25 differ in the last three digits only.',
    initiallyOn: false,
    enforcedAt: ['accept'],
    code: 'A344',
  },
  {
    id: 'low-conversion',
    demands:
      'One-time codes to a country stop when 50 or more were sent since yesterday and no more than 50 % of them were used. Concerns accounts whose clients report which were (`POST /v1/conversion`).',
    initiallyOn: false,
    enforcedAt: ['accept'],
    settings: ['POSTERN_CONVERSION_MIN_CODES', 'POSTERN_CONVERSION_MAX_PERCENT'],
    code: 'A345',
  },
  {
    id: 'link-allowed',
    demands:
      'Texts of an account have links of its registered domains only, or no links of shorteners, as is set for it. Disguised links count: hxxp, [.], full-width and invisible characters, names in Hangul, addresses as numbers. With registered domains only, every host with an ending of letters counts as a link.',
    command: 'postern protection set --links',
    initiallyOn: true,
    enforcedAt: ['accept'],
    settings: ['POSTERN_SHORTENERS'],
    code: 'A322',
  },
  {
    id: 'carrier-mark-not-in-text',
    demands:
      'No text has [Web발신], [국제발신] or another mark by which carriers show where a message comes from.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A322',
  },
  {
    id: 'suspicion-held',
    demands:
      'What velocity, a sequence, low conversion or a link makes suspicious is refused, or accepted and held until an operator decides, as is set for the account. Numbers of its safe list are exempt from velocity, sequences and conversion.',
    command: 'postern held',
    enforcedAt: ['accept'],
  },

  // Lanes
  {
    id: 'urgent-only-for-codes',
    demands:
      'A short time limit makes a message urgent. Of an account that is set so only texts that look like a one-time code are: a customer cannot pass others with ordinary texts.',
    command: 'postern account set --lane codes',
    enforcedAt: ['accept', 'routing'],
  },
] as const satisfies readonly TrustRule[]

export type RuleId = (typeof allRules)[number]['id']

export const rules: readonly (TrustRule & { readonly id: RuleId })[] = allRules

/** Rules that an operator can switch on and off. */
export const switchedRules: readonly RuleId[] = rules
  .filter(({ initiallyOn }) => initiallyOn !== undefined)
  .map(({ id }) => id)

export function isRuleId(id: string): id is RuleId {
  return rules.some((rule) => rule.id === id)
}
