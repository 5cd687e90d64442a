/** The rules that protect against abuse: stopped accounts, countries, caps, velocity, links. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const notice = { text: 'MSIT notice 2026-48 against falsely shown caller numbers', date: '2026-07-10' }
const notes = { text: 'public engineering notes of a certified sender (Hanjul)', date: '2026-10' }
const abuse = 'gateway/src/trust/abuse/abuse.test.ts'
const caps = 'gateway/src/trust/abuse/caps.test.ts'

export const abuseRules = [
  {
    id: 'account-stopped',
    demands:
      'Nothing that a blocked account has accepted is submitted: neither its backlog nor scheduled messages nor later steps. What waits ends, or is held until the account is unblocked. Its webhooks pause. The block is kept with its reason, who ordered it, the notice to the customer and what became of the messages.',
    source: { text: 'Network Act art. 50-4; MSIT notice 2026-48, art. 12', date: '2026-10-02' },
    enforcedAt: ['submission'],
    cause: 'account-stopped',
    test: ['gateway/src/roles/account-block.test.ts', 'gateway/src/webhooks/ownership.test.ts'],
  },
  {
    id: 'country-enabled',
    demands:
      'International messages go only to countries that are enabled for the account (`postern protection set --countries`). A new account has none; one that was there before the rule has all.',
    source: { text: 'NHN Cloud and Twilio: international traffic is opened by country', date: '2026-06' },
    on: { newInstallation: true, upgraded: true },
    enforcedAt: ['accept', 'submission'],
    code: 'A342',
    cause: 'no-route',
    test: abuse,
  },
  {
    id: 'premium-recipient',
    demands:
      'A recipient is no premium, freephone, shared-cost, personal or satellite number: by codes of no country, and by prefixes of the countries that are listed in `country-codes.ts`.',
    source: { text: 'ITU-T E.164 assigned codes; numbering plans of the countries', date: '2016-12-15' },
    on: { newInstallation: true, upgraded: false },
    enforcedAt: ['accept'],
    code: 'A306',
    test: abuse,
  },
  {
    id: 'message-cap',
    demands:
      'An account sends no more than its caps by day and month, in all, by channel and by country (`postern protection cap`). A new account begins with `POSTERN_NEW_ACCOUNT_DAY_CAP` messages per day. They fail closed: a message that cannot be counted is refused as busy.',
    source: { text: 'NHN Cloud: monthly limits of international and of all messages', date: '2026-06' },
    enforcedAt: ['accept'],
    settings: ['POSTERN_TIME_ZONE', 'POSTERN_NEW_ACCOUNT_DAY_CAP'],
    code: 'A343',
    test: caps,
  },
  {
    id: 'recipient-velocity',
    demands:
      'An account sends at most 20 messages an hour to one number, or as many as are set for it, through all API processes of a cell together.',
    settings: ['POSTERN_RECIPIENT_PER_HOUR'],
    source: { text: 'Infobip: anti-flooding, 20 messages an hour', date: '2026' },
    on: { newInstallation: false, upgraded: false },
    enforcedAt: ['accept'],
    code: 'A344',
    test: abuse,
  },
  {
    id: 'prefix-velocity',
    demands:
      'An account sends at most 200 messages in ten minutes to numbers that differ in the last three digits only, or as many as are set for it, through all API processes of a cell together.',
    settings: ['POSTERN_PREFIX_PER_TEN_MINUTES'],
    source: { text: 'Vonage and Twilio: velocity by prefix against pumping', date: '2026' },
    on: { newInstallation: false, upgraded: false },
    enforcedAt: ['accept'],
    code: 'A344',
    test: abuse,
  },
  {
    id: 'sequential-numbers',
    demands:
      'Of the last 50 different recipients of an account fewer than 25 differ in the last three digits only.',
    source: { text: 'Twilio: patterns of pumping', date: '2026' },
    on: { newInstallation: false, upgraded: false },
    enforcedAt: ['accept'],
    code: 'A344',
    test: abuse,
  },
  {
    id: 'low-conversion',
    demands:
      'One-time codes to a country stop when 50 or more were sent since yesterday and no more than 50 % of them were used. Concerns accounts whose clients report which were (`POST /v1/conversion`).',
    source: { text: 'NHN Cloud: blocks by conversion rate', date: '2026-06' },
    settings: ['POSTERN_CONVERSION_MIN_CODES', 'POSTERN_CONVERSION_MAX_PERCENT'],
    on: { newInstallation: false, upgraded: false },
    enforcedAt: ['accept'],
    code: 'A345',
    test: 'gateway/src/trust/abuse/conversions.test.ts',
  },
  {
    id: 'link-allowed',
    demands:
      'Texts of an account have links of its registered domains only, or no links of shorteners, as is set for it (`postern protection set --links`). Disguised links count: hxxp, [.], full-width and invisible characters, names in Hangul, addresses as numbers. With registered domains only, every host with an ending of letters counts as a link.',
    source: notes,
    settings: ['POSTERN_SHORTENERS'],
    on: { newInstallation: true, upgraded: true },
    enforcedAt: ['accept'],
    code: 'A322',
    test: [abuse, 'gateway/src/trust/abuse/links.test.ts'],
  },
  {
    id: 'carrier-mark-not-in-text',
    demands:
      'No text has [Web발신], [국제발신] or another mark by which carriers show where a message comes from.',
    source: { ...notice, text: `${notice.text}, art. 6 and 8: carriers add the marks` },
    on: { newInstallation: true, upgraded: false },
    enforcedAt: ['accept'],
    code: 'A322',
    test: abuse,
  },
  {
    id: 'suspicion-held',
    demands:
      'What velocity, a sequence, low conversion or a link makes suspicious is refused, or accepted and held until an operator decides (`postern held`), as is set for the account. Numbers of its safe list are exempt from velocity, sequences and conversion.',
    source: { text: 'Twilio: safe list', date: '2026' },
    enforcedAt: ['accept'],
    test: 'gateway/src/trust/abuse/held.test.ts',
  },
] as const satisfies readonly EnforcedRule[]

export const omittedAbuseRules: readonly OmittedRule[] = [
  {
    id: 'stop-objection',
    demands: 'A customer may object to a block within 30 days, and is answered within 15.',
    source: { ...notice, text: `${notice.text}, art. 13` },
    omitted:
      'A procedure between people; the reason, the notice and the end of a block are kept (`postern account stops`).',
  },
  {
    id: 'blocked-message-record',
    demands:
      'Messages that were blocked are kept for a year with number, time and operator, and reported to KISA daily.',
    source: { ...notice, text: `${notice.text}, art. 19` },
    omitted:
      'The interface of KISA is not public. Refused requests are not stored; blocked messages that were accepted have a report with their code for as long as reports are kept: export these.',
  },
  {
    id: 'identical-texts',
    demands: 'At most six identical messages an hour go to one number.',
    source: { text: 'Infobip: anti-flooding', date: '2026' },
    omitted:
      'Texts are not compared; `recipient-velocity` bounds all messages to one number, and can be set to six for an account.',
  },
  {
    id: 'cap-by-money',
    demands: 'An account spends no more than an amount in a day or month.',
    source: { text: 'NHN Cloud, Twilio: limits of usage', date: '2026' },
    omitted:
      'The gateway knows no prices. Caps are by channel, country and part, which are what prices depend on.',
  },
  {
    id: 'reported-links',
    demands: 'Links that were reported to KISA are blocked; the list is kept as keyed hashes only.',
    source: notes,
    omitted:
      'The list is given to certified operators only. Register the domains of accounts instead (--links listed).',
  },
  {
    id: 'text-inquiry',
    demands: 'A suspicious text may be shown to KISA before it is sent.',
    source: { text: 'press on the trial of KISA since 2025-04', date: '2025-04' },
    omitted:
      'The interface is not public. Hold suspicious messages (`postern protection set --on-suspicion hold`).',
  },
  {
    id: 'country-sender-forms',
    demands:
      'Countries demand registered senders, entity and template ids, or words in texts: SG, IN, US, GB, FR, SA, AE, VN, TH, JP.',
    source: { text: 'country guides of AWS, Twilio, Alibaba and others', date: '2026' },
    omitted:
      'The carrier of an international route enforces them, and they differ by carrier. Enable a country for an account after its sender is registered there.',
  },
  {
    id: 'rule-on-trial',
    demands: 'A rule can be tried first: it says what it would refuse, and refuses nothing.',
    source: { text: 'practice of firewalls and mail: report-only modes', date: '2026' },
    omitted:
      'A rule is on or off, so that what is on holds for every message. Turn it on, watch `postern_trust_denials_total`, and turn it off again with `postern trust disable` where it refuses what it should not. What is suspicious can be held instead of refused (`postern protection set --on-suspicion hold`).',
  },
]
