/** The rules about senders. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const act = {
  text: 'Telecommunications Business Act art. 84-2; MSIT notice 2026-48 art. 10',
  date: '2026-07-10',
}
const plan = {
  text: 'Number rules of the MSIT notice, as NHN Cloud, Cafe24 and SOLAPI publish them',
  date: '2026-06',
}
const carriers = {
  text: 'RCS and Kakao business messaging: a brand, chatbot, key or template belongs to one customer',
  date: '2026-06',
}
const countries = { text: 'Registration of sender ids abroad (SG, IN, SA, AE, VN, TH)', date: '2026-06' }
const house = { text: 'Postern', date: '2026-11' }

const switched = { newInstallation: true, upgraded: false } as const
const judged = {
  enforcedAt: ['accept', 'submission'],
  code: 'A327',
  cause: 'unregistered-sender',
  test: 'gateway/src/trust/senders/senders.test.ts',
} as const

export const senderRules = [
  {
    id: 'sender-number-registered',
    demands:
      'SMS and MMS are sent from a number that is registered for the account and active, fallback steps included.',
    source: act,
    on: switched,
    ...judged,
  },
  {
    id: 'sender-not-blocked',
    demands:
      'Nothing is sent from a sender that an operator has blocked for the account, whatever rules are on and whatever kind it was blocked as.',
    source: act,
    ...judged,
    code: 'A323',
  },
  {
    id: 'international-sender-registered',
    demands:
      'International SMS are sent from a registered number, a registered number of another country or a registered alphanumeric sender ID. A message to +82 is a domestic message, which only a Korean number may send.',
    source: countries,
    on: switched,
    ...judged,
  },
  {
    id: 'rcs-chatbot-registered',
    demands: 'RCS is sent from a registered chatbot.',
    source: carriers,
    on: switched,
    ...judged,
  },
  {
    id: 'rcs-brand-registered',
    demands:
      'The brandKey of an RCS message, if it has one, is registered. A message without one takes no route that would send it under a brand that others use too (`rbm` with `agentId` and `agents`).',
    source: carriers,
    on: switched,
    ...judged,
    enforcedAt: ['accept', 'routing', 'submission'],
  },
  {
    id: 'kakao-key-registered',
    demands: 'Alimtalk, friendtalk and brand messages are sent with a registered senderKey.',
    source: carriers,
    on: switched,
    ...judged,
  },
  {
    id: 'kakao-template-registered',
    demands: 'The templateCode of an alimtalk or brand message, if it has one, is registered.',
    source: carriers,
    on: { newInstallation: false, upgraded: false },
    ...judged,
  },
  {
    id: 'sender-number-kind',
    demands:
      'Special numbers send only if they are registered for the account or the installation allows their kind; old mobile and forwarding numbers only if the installation allows their kind.',
    source: plan,
    settings: ['POSTERN_SENDER_KINDS'],
    enforcedAt: ['accept'],
    code: 'A302',
    test: 'gateway/src/pipeline/accept/check-steps.test.ts',
  },
  {
    id: 'sender-number-shape',
    demands:
      'A sender number has a form of the Korean numbering plan: 010-2 to 010-9, 070-2 to 070-9, an area code that exists, exactly eight digits for 15xx, 16xx and 18xx. Premium numbers (060) only if they are registered.',
    source: plan,
    on: switched,
    enforcedAt: ['accept'],
    code: 'A302',
    test: 'gateway/src/trust/senders/senders.test.ts',
  },
  {
    id: 'sender-form-at-registration',
    demands:
      'A number is registered only in a form that may send; forwarding (050) and old mobile numbers only if the installation allows their kind.',
    source: plan,
    enforcedAt: ['registration'],
    test: 'gateway/src/trust/senders/shapes.test.ts',
  },
  {
    id: 'sender-approved',
    demands:
      'A sender becomes active only by the approval of an operator, and a number only with a recorded proof; until then it is pending. So are numbers of another holder and numbers above the usual count per account.',
    source: act,
    enforcedAt: ['registration'],
    test: 'gateway/src/trust/senders/changes.test.ts',
  },
  {
    id: 'certificate-recent',
    demands: 'A certificate of the telephone operator is at most three months old when it is used as proof.',
    source: { text: 'MSIT notice 2026-48 art. 16; NHN Cloud', date: '2026-07-10' },
    enforcedAt: ['registration'],
    test: 'gateway/src/trust/senders/changes.test.ts',
  },
  {
    id: 'sandbox-account',
    demands:
      'Messages of a sandbox account reach sandbox routes only; in return it needs no registered sender.',
    source: house,
    enforcedAt: ['routing', 'submission'],
    cause: 'no-route',
    test: 'gateway/src/trust/senders/senders.test.ts',
  },
] as const satisfies readonly EnforcedRule[]

export const omittedSenderRules: readonly OmittedRule[] = [
  {
    id: 'impersonation-list',
    demands: "A sender on KISA's list against impersonation is dropped at once.",
    source: { text: 'MSIT notice 2026-48 art. 7', date: '2026-07-10' },
    omitted:
      'The interface of the list is not public. An operator who has the list blocks its numbers for each account with `postern sender block`, registered or not.',
  },
  {
    id: 'dead-numbers',
    demands: 'An account whose registered number is out of service is stopped.',
    source: { text: 'MSIT notice 2026-48 art. 7 (4)', date: '2026-07-10' },
    omitted:
      'The interface of the number check is not public. `--valid-until` ends a registration that is not checked again.',
  },
  {
    id: 'notice-to-own-number',
    demands: 'A person who sends in bulk from a mobile number is told so on that number.',
    source: { text: 'MSIT notice 2026-48 art. 10-2', date: '2026-07-10' },
    omitted: 'Accounts have no mark for persons.',
  },
  {
    id: 'public-body-exemption',
    demands: 'A public body with proof needs no registration of its numbers.',
    source: { text: 'MSIT notice 2026-48 art. 10 (4)', date: '2026-07-10' },
    omitted: 'Its numbers are registered with the proof, as those of others are.',
  },
  {
    id: 'certificate-content',
    demands:
      'A certificate names operator, holder, birth or business number, service, number, issuer and issue number, unmasked.',
    source: { text: 'MSIT notice 2026-48 art. 16', date: '2026-07-10' },
    omitted: 'The gateway stores a reference to the document; the operator who approves reads it.',
  },
  {
    id: 'line-count',
    demands:
      'A person registers up to 3 mobile and 5 landline numbers, a foreigner 2, a company 4 mobile numbers; more are held for approval.',
    source: { text: 'Guideline on sending qualification, second revision, second-hand', date: '2026-10' },
    omitted:
      'Every number is held until an operator approves it; `postern sender list <client-id>` shows how many there are.',
  },
  {
    id: 'theft-protection',
    demands: 'A failure because the holder protects the number against theft has a cause of its own.',
    source: { text: 'NHN Cloud, code 3018', date: '2026-06' },
    omitted: 'The contract has no report code for it; carriers report it as an unregistered sender.',
  },
]
