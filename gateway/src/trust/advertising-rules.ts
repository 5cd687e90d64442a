/** The rules about advertisements: their form, their hours and who receives them. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const label = {
  text: 'Network Act art. 50 (4), decree art. 61; notices of NHN Cloud and carriers',
  date: '2026-10-02',
}
const night = { text: 'Network Act art. 50 (3), decree art. 61 (2)', date: '2026-10-02' }
const consent = { text: 'Network Act art. 50 (1) and (2), decree art. 61', date: '2026-10-02' }
const carriers = { text: 'RCS carriers, code 55701', date: '2026-06' }
const kakao = {
  text: 'Kakao alimtalk: information that the recipient has asked for, by template',
  date: '2026-06',
}
const abroad = {
  text: 'Twilio, Brevo, Mapp and NHN Cloud, by country: see docs/advertising.md',
  date: '2026-06',
}

const byLaw = { newInstallation: true, upgraded: false } as const
const onRequest = { newInstallation: false, upgraded: false } as const
const form = {
  enforcedAt: ['accept'],
  code: 'A340',
  test: 'gateway/src/trust/advertising/form.test.ts',
} as const
/** What is registered may be removed before a message that was accepted is sent. */
const registered = { ...form, enforcedAt: ['accept', 'submission'], cause: 'advertisement-form' } as const
const hours = {
  enforcedAt: ['accept', 'submission'],
  code: 'A341',
  cause: 'night-hours',
  test: 'gateway/src/trust/quiet-hours/quiet-hours.test.ts',
} as const

const recipients = {
  enforcedAt: ['accept', 'submission'],
  code: 'A324',
  cause: 'suppressed',
  test: 'gateway/src/trust/suppression/suppression.test.ts',
} as const

export const advertisingRules = [
  {
    id: 'advertisement-mark',
    demands:
      'The text of an SMS or MMS advertisement begins with (광고) in exactly this form, not only its title or an image. Forms that hide the mark, such as (광 고), [광고] and (대출광고), and a mark behind symbols or other brackets are refused.',
    source: label,
    on: byLaw,
    ...form,
  },
  {
    id: 'advertisement-opt-out',
    demands:
      'The last line of an SMS or MMS advertisement has 무료수신거부 or 무료거부 and an 080 number, unless it is sent from an 080 number.',
    source: label,
    on: byLaw,
    ...form,
  },
  {
    id: 'advertisement-sender-name',
    demands:
      'After the mark an SMS or MMS advertisement names its sender, by a name that is registered for the account. Off until names are registered (`postern trust advertising`).',
    source: label,
    on: onRequest,
    ...registered,
  },
  {
    id: 'advertisement-opt-out-registered',
    demands:
      'The 080 number of an SMS, MMS or RCS advertisement is registered for the account. Off until the numbers are registered (`postern trust advertising`).',
    source: { text: 'NHN Cloud, code -6004', date: '2026-06' },
    on: onRequest,
    ...registered,
  },
  {
    id: 'rcs-advertisement-header',
    demands:
      'No text of an RCS message contains (광고) or begins with another form of it: an RCS advertisement has header 1 and a footer.',
    source: carriers,
    on: byLaw,
    ...form,
  },
  {
    id: 'alimtalk-not-advertisement',
    demands: 'An alimtalk has no mark of an advertisement.',
    source: kakao,
    on: byLaw,
    ...form,
  },
  {
    id: 'kakao-advertisement-flag',
    demands:
      'A friendtalk or brand message with adFlag N has no mark of an advertisement. With one it is an advertisement, whatever the flag says: hours and opt-outs apply even when this rule is off.',
    source: label,
    on: byLaw,
    ...form,
  },
  {
    id: 'advertisement-quiet-hours',
    demands:
      'No advertisement to a Korean number is handed to a carrier from 20:50 to 08:00 (the law: 21:00), unless the recipient has agreed to the night; the hours of sending can be shorter by account and channel. An advertisement of the night moves to the next step if that is no advertisement, and is refused otherwise; the operator can have it refused always or held until the morning (`postern trust quiet-hours`).',
    source: night,
    on: byLaw,
    ...hours,
  },
  {
    id: 'advertisement-country-hours',
    demands:
      'No advertisement is sent abroad outside the hours of the recipient’s country, where these are known; none to Vietnam.',
    source: abroad,
    settings: ['POSTERN_COUNTRY_HOURS'],
    on: byLaw,
    ...hours,
  },
  {
    id: 'recipient-not-suppressed',
    demands:
      'No advertisement is sent to a recipient who has opted out of those of the account, or whom the operator has suppressed for all accounts.',
    source: consent,
    ...recipients,
  },
  {
    id: 'opt-out-by-reply',
    demands:
      'A reply of one word such as STOP, UNSUBSCRIBE or 수신거부, in any case, opts the recipient out of the advertisements of the account that the number is registered for; START and the like take it back.',
    source: { text: 'Twilio and AWS: keywords of opt-outs', date: '2026' },
    enforcedAt: ['storage'],
    settings: ['POSTERN_OPT_OUT_WORDS', 'POSTERN_OPT_IN_WORDS'],
    test: 'gateway/src/pipeline/receipts/opt-outs.test.ts',
  },
  {
    id: 'advertisement-consent',
    demands:
      'Advertisements are sent only to recipients whose consent is recorded with its date. Off until consents are imported (`postern suppression import --state agreed`).',
    source: consent,
    on: onRequest,
    ...recipients,
  },
] as const satisfies readonly EnforcedRule[]

export const omittedAdvertisingRules: readonly OmittedRule[] = [
  {
    id: 'advertisement-contact',
    demands: 'An advertisement has a contact, unless that is its sender number.',
    source: label,
    omitted:
      'The sender number, which the phone shows, is the contact; that it answers is a matter of the contract.',
  },
  {
    id: 'consent-confirmed',
    demands:
      'Every two years a recipient is reminded of the consent: the name of the sender, the date of the consent, how to keep it and how to withdraw it.',
    source: { text: 'Network Act decree art. 62-3', date: '2026-10-02' },
    omitted:
      'The advertiser reminds its recipients; the numbers are not stored here. Import the list again with the new date, and without those who withdrew.',
  },
  {
    id: 'consent-told',
    demands:
      'Whoever agrees, refuses or withdraws is told the name of the sender, the fact and the date within 14 days.',
    source: { text: 'Network Act decree art. 62-2', date: '2026-10-02' },
    omitted: 'The advertiser tells its recipients. GET /v1/suppression answers the date of an opt-out.',
  },
  {
    id: 'help-words',
    demands: 'A reply HELP or INFO is answered with the name of the sender, a contact and how to opt out.',
    source: { text: 'CTIA: Messaging Principles and Best Practices', date: '2023-05' },
    omitted:
      'The gateway sends nothing of its own. The account reads such a reply as any other, by polling, stream or webhook, and answers it. Words that opt out or in are recorded at once.',
  },
]
