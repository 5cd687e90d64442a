import type { AccountClient, SendBody } from '../../support/processes/account-client.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import {
  blockedLater,
  from,
  openRulesInstallation,
  suppressed,
  type RulesInstallation,
} from './installation.ts'

const ad = '(광고)Shop sale\n무료거부 080-123-4567'
const domestic = (nth: number): string => `0100${String(nth).padStart(3, '0')}7358`
const abroad = '+14150007358'
/** Time limit of a report or of a changed rule: longer than two refreshes of trust rules on a busy machine. */
const maxWaitMs = 60_000

/**
 * Tests trust rules with real processes and returns findings. Violations are rejected with their code and
 * reach no carrier, night advertisements wait for the morning, and accepted messages follow later changes of
 * the rules. `npm run e2e` runs it while SMS wait for their deadline.
 */
export async function runRules(): Promise<string[]> {
  const installation = await openRulesInstallation()
  const findings: string[] = []
  try {
    findings.push(...(await run(installation)))
  } catch (error) {
    findings.push((error as Error).stack ?? String(error))
  }
  findings.push(...(await installation.close(findings.length > 0)))
  printProgress(`rules on, in the night and in the morning: ${findings.length} findings`)
  return findings
}

async function run({
  carrier,
  holdingClient: holding,
  rejectingClient: refusing,
  command,
  moveToMorning,
}: RulesInstallation): Promise<string[]> {
  const findings: string[] = []
  const expectCode = async (
    label: string,
    code: string,
    client: AccountClient,
    body: SendBody,
  ): Promise<string> => {
    const response = (await client.send(body.to.startsWith('+') ? 'international' : 'sms', body)).body
    if (response.code !== code)
      findings.push(`${label} got ${response.code} ${response.result}, expected ${code}`)
    return response.msgKey ?? ''
  }
  const expectReport = async (label: string, msgKey: string, code: string): Promise<void> => {
    const report = await waitFor(
      `a report of ${label}`,
      async () => (await holding.inquire(msgKey)).body.data?.report[0],
      { timeoutMs: maxWaitMs },
    )
    if (report.reportCode !== code)
      findings.push(`${label} ended with ${report.reportCode}, expected ${code}`)
  }
  const isHeld = async (msgKey: string): Promise<boolean> =>
    (await holding.inquire(msgKey)).body.data?.report.length === 0

  const sms = { from, text: 'hello' }
  await expectCode('a sender that is not registered', 'A327', holding, {
    ...sms,
    from: '0298765432',
    to: domestic(1),
  })
  await expectCode('a link that is not registered', 'A322', holding, {
    ...sms,
    text: 'https://other.kr/a',
    to: domestic(2),
  })
  await expectCode('a country that is not enabled', 'A342', holding, { ...sms, to: '+4915112345678' })
  await expectCode('a satellite number', 'A306', holding, { ...sms, to: '+88112345678' })
  await expectCode('an advertisement without an opt-out', 'A340', holding, {
    ...sms,
    text: '(광고)Shop',
    to: domestic(3),
  })
  await expectCode('an advertisement to one who opted out', 'A324', holding, {
    ...sms,
    text: ad,
    to: suppressed,
  })
  await expectCode('an advertisement of the night', 'A341', refusing, { ...sms, text: ad, to: domestic(4) })

  const notice = await expectCode('a notice', 'A000', holding, {
    ...sms,
    text: 'https://shop.kr/a',
    to: domestic(10),
  })
  const first = await expectCode('a message abroad', 'A000', holding, { ...sms, to: abroad })
  await expectCode('a message beyond the cap', 'A343', holding, { ...sms, to: abroad })
  const held = await expectCode('an advertisement to be held', 'A000', holding, {
    ...sms,
    text: ad,
    to: domestic(11),
  })
  const late = await expectCode('another of a sender that is blocked later', 'A000', holding, {
    from: blockedLater,
    text: ad,
    to: domestic(12),
  })
  await expectReport('the notice', notice, '10000')
  await expectReport('the message abroad', first, '10000')
  const { clientId } = holding.credentials
  await command('sender', 'block', clientId, blockedLater)
  // The advertisement that was accepted before the block stays held and fails in the morning.
  const another = { from: blockedLater, text: ad, to: domestic(13) }
  const isBlocked = async (): Promise<boolean> => (await holding.send('sms', another)).body.code === 'A323'
  await waitFor('the block of the sender to be known', isBlocked, { timeoutMs: maxWaitMs, everyMs: 200 })
  for (const [label, msgKey] of [
    ['the first', held],
    ['the second', late],
  ] as const)
    if (!(await isHeld(msgKey))) findings.push(`${label} night advertisement has a report`)
  findings.push(...(await checkTaken(carrier, [domestic(10), abroad])))

  await moveToMorning()
  await expectReport('the advertisement that was held', held, '10000')
  await expectReport('that of the blocked sender', late, '23023')
  findings.push(...(await checkTaken(carrier, [domestic(10), abroad, domestic(11)])))
  return findings
}

/** Checks that the carrier received exactly these recipients, once each. */
async function checkTaken(
  carrier: RulesInstallation['carrier'],
  expected: readonly string[],
): Promise<string[]> {
  const taken = (await carrier.submissions()).map(({ to }) => to).sort()
  const digits = expected.map((to) => to.replace('+', '')).sort()
  if (taken.join() === digits.join()) return []
  return [`the carrier has messages to ${taken.join(', ')}, not to ${digits.join(', ')}`]
}
