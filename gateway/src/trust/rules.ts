/**
 * The trust rules that check messages, senders and origin codes. The groups (`rule-groups.ts`) evaluate them.
 * docs/reference/rules.md lists them with their legal sources and tests.
 */
import type { Cause } from '../channels/cause.ts'
import type { ResultCode } from '../contract/result-codes.ts'

/**
 * `registration`: when an operator registers a sender. `start`: the process does not start if the rule is
 * violated. `storage`: when a reply is stored. `command`: when an operator sets a value.
 */
export type EnforcementPoint =
  | 'accept'
  | 'submission'
  | 'routing'
  | 'registration'
  | 'start'
  | 'storage'
  | 'command'

export interface TrustRule {
  /** Printed by commands, stored in attempts, and the anchor of the rule in docs/reference/rules.md. */
  readonly id: string
  readonly demands: string
  /** Initial state of the switch. If absent, the rule has no switch and is always on. */
  readonly initiallyOn?: boolean
  readonly enforcedAt: readonly EnforcementPoint[]
  /** Environment variables that change the requirement. */
  readonly settings?: readonly string[]
  /** The command that changes the requirement, for the documentation page. */
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
      'SMS and MMS are sent from a number that is registered for the account and active. This includes fallback steps.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'sender-not-blocked',
    demands:
      'Nothing is sent from a sender that an operator has blocked for the account. This applies to every kind of sender, whichever rules are enabled.',
    enforcedAt: ['accept', 'submission'],
    code: 'A323',
    cause: 'unregistered-sender',
  },
  {
    id: 'international-sender-registered',
    demands:
      'International SMS are sent from a registered number, a registered number of another country or a registered alphanumeric sender ID. A message to +82 is a domestic message, which requires a Korean number as sender.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'rcs-chatbot-registered',
    demands: 'RCS is sent from a registered chatbot, or from a registered number.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    code: 'A327',
    cause: 'unregistered-sender',
  },
  {
    id: 'rcs-brand-registered',
    demands:
      'The brandKey of an RCS message, if it has one, is registered. A message without one is not routed to a brand that other accounts share (`rbm` with `agentId` and `agents`).',
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
      'Special numbers send only if they are registered for the account or the installation allows their kind; old mobile and forwarding numbers send only if the installation allows their kind.',
    enforcedAt: ['accept'],
    settings: ['POSTERN_SENDER_KINDS'],
    code: 'A302',
  },
  {
    id: 'sender-number-shape',
    demands:
      'A sender number has a form of the Korean numbering plan: 010-2 to 010-9, 070-2 to 070-9, an area code that exists, exactly eight digits for 15xx, 16xx and 18xx. Premium numbers (060) must be registered.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A302',
  },
  {
    id: 'sender-form-at-registration',
    demands:
      'A number can be registered only in a form that can send; forwarding (050) and old mobile numbers only if the installation allows their kind.',
    enforcedAt: ['registration'],
  },
  {
    id: 'sender-approved',
    demands:
      'A sender becomes active only when an operator approves it, and a number only with a recorded proof; until then it is pending. Numbers of another holder and numbers above the usual count per account are pending as well.',
    enforcedAt: ['registration'],
  },
  {
    id: 'certificate-recent',
    demands:
      'A certificate of the telephone operator must be at most three months old when it is used as proof.',
    enforcedAt: ['registration'],
  },
  {
    id: 'sandbox-account',
    demands: 'Messages of a sandbox account reach sandbox routes only; it needs no registered sender.',
    enforcedAt: ['routing', 'submission'],
    cause: 'no-route',
  },

  // Origin codes
  {
    id: 'origin-code-shape',
    demands:
      'The originCID of a send and the codes of accounts and of the operator match POSTERN_ORIGIN_PATTERN, which defaults to nine digits.',
    enforcedAt: ['accept', 'command', 'start'],
    settings: ['POSTERN_ORIGIN_PATTERN'],
    code: 'A300',
  },
  {
    id: 'origin-code-owned',
    demands:
      'The originCID of a send is a code of its account, or the code of the operator unless the account is a reseller. While neither has a code, only its form is checked.',
    initiallyOn: true,
    enforcedAt: ['accept', 'submission'],
    settings: ['POSTERN_ORIGIN_CODE'],
    code: 'A300',
    cause: 'origin-code',
  },
  {
    id: 'origin-code-present',
    demands:
      'Every SMS and MMS has a code: the originCID of the send, else the first of the account, else that of the operator; a reseller needs its own. While the rule is enabled, a process does not start without POSTERN_ORIGIN_CODE.',
    initiallyOn: false,
    enforcedAt: ['accept', 'submission', 'start'],
    settings: ['POSTERN_ORIGIN_CODE'],
    code: 'A300',
    cause: 'origin-code',
  },
  {
    id: 'origin-code-carried',
    demands: 'SMS and MMS use only routes whose protocol and options can transmit the code.',
    initiallyOn: false,
    enforcedAt: ['routing'],
  },
  {
    id: 'origin-code-unchanged',
    demands: 'The code reaches the carrier unchanged, including in fallback steps.',
    enforcedAt: ['submission'],
  },

  // Advertisements
  {
    id: 'advertisement-mark',
    demands:
      'The text of an SMS or MMS advertisement begins with (광고) in exactly this form. A mark only in the title or in an image is not enough. Forms that hide the mark, such as (광 고), [광고] and (대출광고), and a mark behind symbols or other brackets are refused.',
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
      'After the mark an SMS or MMS advertisement names its sender with a name registered for the account. Disabled until names are registered.',
    command: 'postern trust advertising',
    initiallyOn: false,
    enforcedAt: ['accept', 'submission'],
    code: 'A340',
    cause: 'advertisement-form',
  },
  {
    id: 'advertisement-opt-out-registered',
    demands:
      'The 080 number of an SMS, MMS or RCS advertisement is registered for the account. Disabled until the numbers are registered.',
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
    demands: 'An alimtalk has no advertisement mark.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A340',
  },
  {
    id: 'kakao-advertisement-flag',
    demands:
      'A friendtalk or brand message with adFlag N has no advertisement mark. A message with a mark is an advertisement, whatever the flag: hours and opt-outs apply even while this rule is disabled.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A340',
  },
  {
    id: 'advertisement-quiet-hours',
    demands:
      'No advertisement to a Korean number is submitted to a carrier from 20:50 to 08:00 (by law from 21:00), unless the recipient has agreed to advertisements at night. The sending hours can be shorter by account and channel. At night the next step is used if it is no advertisement; otherwise the message is refused. The operator can choose to always refuse such messages or to hold them until the morning.',
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
      'A reply of one word such as STOP, UNSUBSCRIBE or 수신거부, in any case, opts the recipient out of the advertisements of the account for which the number is registered; START and similar words undo it.',
    enforcedAt: ['storage'],
    settings: ['POSTERN_OPT_OUT_WORDS', 'POSTERN_OPT_IN_WORDS'],
  },
  {
    id: 'advertisement-consent',
    demands:
      'Advertisements are sent only to recipients whose consent is recorded with its date. Disabled until consents are imported.',
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
      'No accepted message of a blocked account is submitted: neither its backlog nor scheduled messages nor later steps. Waiting messages end, or are held until the account is unblocked. Its webhooks pause. The block is recorded with its reason, who ordered it, the notice to the customer and the outcome of the messages.',
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
      'A recipient is no premium, freephone, shared-cost, personal or satellite number. `country-codes.ts` lists the codes and, by country, the prefixes.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A306',
  },
  {
    id: 'message-cap',
    demands:
      'An account sends no more than its daily and monthly caps, in total, by channel and by country. A new account begins with `POSTERN_NEW_ACCOUNT_DAY_CAP` messages per day. They fail closed: a message that cannot be counted is refused as busy.',
    command: 'postern protection cap',
    enforcedAt: ['accept'],
    settings: ['POSTERN_TIME_ZONE', 'POSTERN_NEW_ACCOUNT_DAY_CAP'],
    code: 'A343',
  },
  {
    id: 'recipient-velocity',
    demands:
      'By default, an account sends at most 20 messages per hour to one number, with bursts of up to 20, across all processes of a cell. A line of a batch counts when its message is created.',
    initiallyOn: false,
    enforcedAt: ['accept'],
    settings: ['POSTERN_RECIPIENT_PER_HOUR'],
    code: 'A344',
  },
  {
    id: 'prefix-velocity',
    demands:
      'By default, an account sends at most 200 messages per ten minutes to numbers that differ only in the last three digits, with bursts of up to 200, across all processes of a cell. A line of a batch counts when its message is created.',
    initiallyOn: false,
    enforcedAt: ['accept'],
    settings: ['POSTERN_PREFIX_PER_TEN_MINUTES'],
    code: 'A344',
  },
  {
    id: 'low-conversion',
    demands:
      'One-time codes to a country stop when 50 or more were sent since yesterday and at most 50 % of them were used. Applies to accounts whose clients report used codes (`POST /v1/conversion`).',
    initiallyOn: false,
    enforcedAt: ['accept'],
    settings: ['POSTERN_CONVERSION_MIN_CODES', 'POSTERN_CONVERSION_MAX_PERCENT'],
    code: 'A345',
  },
  {
    id: 'link-allowed',
    demands:
      'Texts of an account contain only links to its registered domains, or no shortened links, as configured for it. Disguised links count as well: hxxp, [.], full-width and invisible characters, names in Hangul, addresses as numbers. With registered domains only, every host with an ending of letters counts as a link.',
    command: 'postern protection set --links',
    initiallyOn: true,
    enforcedAt: ['accept'],
    settings: ['POSTERN_SHORTENERS'],
    code: 'A322',
  },
  {
    id: 'carrier-mark-not-in-text',
    demands:
      'No text contains [Web발신], [국제발신] or another mark with which carriers show the origin of a message.',
    initiallyOn: true,
    enforcedAt: ['accept'],
    code: 'A322',
  },
  {
    id: 'suspicion-held',
    demands:
      'A message that is suspicious because of velocity, low conversion or a link is refused, or accepted and held until an operator decides, as configured for the account. Numbers of its safe list are exempt from velocity and conversion.',
    command: 'postern held',
    enforcedAt: ['accept'],
  },

  // Batches
  {
    id: 'batch-paused',
    demands:
      'No message of a paused batch is submitted: neither its first step nor a later one. Messages wait until the batch is resumed, unless their deadline passes.',
    enforcedAt: ['submission'],
  },
  {
    id: 'batch-cancelled',
    demands:
      'No message of a cancelled batch is submitted. Messages that were not submitted end; of the others, no later step starts.',
    enforcedAt: ['submission'],
    cause: 'cancelled',
  },

  // Lanes
  {
    id: 'urgent-only-for-codes',
    demands:
      'A short time limit makes a message urgent. For an account with the lane `codes` only texts that look like a one-time code are urgent, so a customer cannot overtake others with ordinary texts.',
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
