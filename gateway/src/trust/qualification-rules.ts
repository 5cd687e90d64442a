/** What the certification of senders in bulk inspects besides: procedures between people, and rules that need data the gateway has not. */
import type { EnforcedRule, OmittedRule } from './rule.ts'

const guideline = (part: string) => ({
  text: `Guideline on sending qualification, second revision, part ${part}, second-hand`,
  date: '2026-10',
})

export const qualificationRules = [
  {
    id: 'database-rights',
    demands:
      'Each process and the commands use a database user with the rights that it needs, and no other (`postern database roles`).',
    source: guideline('3'),
    enforcedAt: ['storage'],
    isOffUnlessSet: true,
    settings: ['POSTERN_DATABASE_URL'],
    test: 'gateway/src/commands/database/roles.test.ts',
  },
  {
    id: 'sender-history-kept',
    demands:
      'Who registered, approved, rejected or blocked a sender, when and by which proof, is kept without an end.',
    source: { text: 'MSIT notice 2026-48 art. 10 (6): a year after the service ends', date: '2026-07-10' },
    enforcedAt: ['storage'],
    test: 'gateway/src/trust/senders/changes.test.ts',
  },
] as const satisfies readonly EnforcedRule[]

export const omittedQualificationRules: readonly OmittedRule[] = [
  {
    id: 'customer-identified',
    demands: 'Each real sender has one account, and its identity was checked.',
    source: guideline('2.1'),
    omitted:
      'A procedure before `postern account create`. Keep the proof with the contract; the proofs of senders are kept here.',
  },
  {
    id: 'payer-is-customer',
    demands: 'A payment by somebody else than the customer holds the account until it is explained.',
    source: guideline('2.3'),
    omitted: 'The gateway knows no payments. Stop the account with `postern account block` until then.',
  },
  {
    id: 'firewall-changes-logged',
    demands: 'Changes of the firewall are logged.',
    source: guideline('3.1'),
    omitted:
      'The firewall is not part of the gateway. Changes of networks of credentials are in the audit log.',
  },
  {
    id: 'sender-confirmed-again',
    demands:
      'Before a person orders a bulk send, sender and account are confirmed again; codes and automatic sends are exempt.',
    source: guideline('3.5'),
    omitted: 'Sends come from machines over the API. A portal for people must ask before it calls it.',
  },
  {
    id: 'records-reviewed',
    demands: 'Records of access are reviewed every month.',
    source: guideline('4.3'),
    omitted:
      'A procedure between people: `postern audit export` gives the month, `postern audit verify` shows that it is complete.',
  },
  {
    id: 'keyword-combinations',
    demands:
      'Texts with combinations of one to five keywords, links or numbers of a list are blocked, not only noticed.',
    source: guideline('5.2'),
    omitted:
      'The lists are given to certified operators only, and texts are not searched for words. Links are blocked by account (`postern protection set --links`), numbers by `postern sender block`; texts can be checked before they are sent to the API.',
  },
  {
    id: 'trade-within-six-months',
    demands:
      'Without consent, advertisements go only to customers of the last six months, for goods of the same kind.',
    source: { text: 'Network Act art. 50 (1), decree art. 61', date: '2026-10-02' },
    omitted:
      'The gateway knows no trade, and a consent that is imported has no end. Turn on `advertisement-consent`, import the recipients of such a trade with its day (`postern suppression import --state agreed --since`), and remove them when six months have passed (`postern suppression remove`).',
  },
  {
    id: 'link-lookup',
    demands: 'A link that is not known is held for up to a minute while it is looked up.',
    source: { text: 'public engineering notes of a certified sender (Hanjul)', date: '2026-10' },
    omitted:
      'Nothing is looked up: the domains of the account decide (`--links listed`), in memory. Suspicious messages can be held for an operator.',
  },
  {
    id: 'refusal-names-no-rule',
    demands: 'A refusal for a link or a text does not say which rule it broke.',
    source: { text: 'public engineering notes of a certified sender (Hanjul)', date: '2026-10' },
    omitted:
      'Customers are known by contract, and a refusal says what to do. Use `--on-suspicion hold` for an account that learns from refusals: it is answered as accepted.',
  },
  {
    id: 'link-paths',
    demands:
      'Links are compared with lists by address, path, host and domain, and the first that is found decides.',
    source: { text: 'public engineering notes of a certified sender (Hanjul)', date: '2026-10' },
    omitted:
      'Lists hold domains; everything under one passes with it. A page of a domain that many share cannot be registered alone.',
  },
  {
    id: 'velocity-by-report',
    demands:
      'A message beyond a limit of velocity is accepted and reported as failed, and its prefix is blocked for twelve hours.',
    source: { text: 'Infobip: anti-flooding; Twilio: blocked prefixes', date: '2026' },
    omitted:
      'It is refused at accept (A344) or held for an operator, and the next is accepted when the window has moved on.',
  },
]
