/**
 * Attack: identifiers, headers, queries and bodies that are far too long or deep. Each must be rejected with
 * 4xx or a closed connection within five seconds, no row may be written, and the process must keep serving. Only an
 * inquiry finds nothing instead, as for every unknown key.
 */
import { AccountClient } from '../support/processes/account-client.ts'
import { query } from '../support/processes/scratch-database.ts'
import { runTargetAttack } from './attack.ts'

const lengths = [256, 1_000, 7_000, 100_000]
const paths = [
  ...['/v1/report/inquiry/{}', '/v1/message/{}', '/v1/form/{}', '/v1/webhook/{}', '/v1/file/content/{}'],
  ...['/v1/report/stream?cursor={}', '/v1/report/stream?consumer={}', '/v1/usage?from={}&to={}', '/{}'],
]
const headers = ['idempotency-key', 'x-svc-client-id', 'x-svc-client-passwd', 'x-forwarded-for']
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const sms = { from: '0234567890', to: '01012345678', text: 'x' }

await runTargetAttack({}, async ({ installation, url, attacker, wrong, report }) => {
  const tries: [string, () => Promise<{ readonly httpStatus: number }>][] = []
  for (const length of lengths) {
    const long = 'A'.repeat(length)
    for (const path of paths)
      tries.push([`${path} of ${length}`, () => attacker.call('GET', path.replaceAll('{}', long))])
    for (const name of headers)
      tries.push([
        `${name} of ${length}`,
        () =>
          attacker.call('POST', '/v1/send/sms', JSON.stringify({ ...sms, to: 'x' }), undefined, {
            [name]: long,
          }),
      ])
    tries.push([`bearer of ${length}`, () => attacker.call('GET', '/v1/usage', undefined, `Bearer ${long}`)])
    for (const field of ['ref', 'paymentCode', 'to', 'from', 'text'])
      tries.push([
        `${field} of ${length}`,
        () =>
          attacker.call(
            'POST',
            '/v1/send/sms',
            JSON.stringify({ ...sms, [field]: field === 'text' ? `${long}${long}` : long }),
          ),
      ])
  }
  for (const levels of [1_000, 100_000])
    tries.push([
      `${levels} levels`,
      () => attacker.call('POST', '/v1/send/omni', `{"messageFlow":${deep(levels)}}`),
    ])
  tries.push([
    'a body of 20 MB',
    () => attacker.call('POST', '/v1/send/sms', `{"text":"${'x'.repeat(20_000_000)}"}`),
  ])
  tries.push([
    '100,000 destinations',
    () =>
      attacker.call(
        'POST',
        '/v1/send/omni',
        JSON.stringify({
          destinations: Array.from({ length: 100_000 }, () => ({ to: '1' })),
          messageFlow: [],
        }),
      ),
  ])

  let slowest = 0
  for (const [label, send] of tries) {
    const began = performance.now()
    // The connection may be closed before the body is read completely.
    const status = await send().then(
      ({ httpStatus }) => httpStatus,
      () => 400,
    )
    slowest = Math.max(slowest, performance.now() - began)
    const isAnswered = status === 200 && label.startsWith('/v1/report/inquiry/')
    if (!isAnswered && (status < 400 || status > 499)) wrong(`${label} got status ${status}`)
  }
  report(`${tries.length} requests, the slowest ${Math.round(slowest)} ms`)
  if (slowest > 5_000) wrong(`a request took ${Math.round(slowest)} ms`)
  const rows = await query<{ n: number }>(
    installation.databaseUrl,
    `select ((select count(*) from messages) + (select count(*) from webhooks) + (select count(*) from forms))::integer as n`,
  )
  if (rows[0]!.n !== 0) wrong(`${rows[0]!.n} rows were written`)
  const client = new AccountClient(url, { clientId: 'nobody', password: 'x' })
  if ((await client.login()).httpStatus !== 401) wrong('the process does not respond as before')
  client.close()
})
