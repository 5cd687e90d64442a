/**
 * Operators who change routes cannot read secrets of the installation or of a carrier, and leave the address
 * in the audit log.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { loadRoutes, upsertRoute } from '../../carriers/routes/queries.ts'

const admin = await createTestAdmin()
const folder = mkdtempSync(join(tmpdir(), 'postern-route-secrets-'))
after(() => rmSync(folder, { recursive: true }))

const twilio = (authToken: string, url = 'https://carrier.example/api') => ({
  channels: ['sms'],
  protocol: 'twilio',
  enabled: false,
  options: { url, accountSid: 'AC1', authToken },
})

suite('a reference in the options', () => {
  test('does not name a setting of the gateway', async () => {
    const { status, body } = await admin.call(
      'operator',
      'PUT',
      '/admin/v1/routes/own',
      twilio('env:POSTERN_DATABASE_URL'),
    )
    assert.deepEqual([status, body.code], [400, 'invalid-request'])
    assert.match(body.detail, /^route options must not reference env:POSTERN_DATABASE_URL/)
  })

  test('does not reveal whether an unreadable file exists', async () => {
    const answerTo = async (path: string): Promise<string> => {
      const { status, body } = await admin.call(
        'operator',
        'PUT',
        '/admin/v1/routes/own',
        twilio(`file:${path}`),
      )
      assert.equal(status, 400)
      return body.detail.replaceAll(path, '<path>')
    }
    const long = join(folder, 'long')
    writeFileSync(long, 'x'.repeat(70_000))
    const locked = join(folder, 'locked')
    writeFileSync(locked, 'x')
    chmodSync(locked, 0)
    const missing = await answerTo(join(folder, 'missing'))
    assert.match(missing, /cannot read <path>/)
    assert.equal(await answerTo(folder), missing)
    assert.equal(await answerTo(long), missing)
    // The superuser can read any file.
    if (process.getuid?.() !== 0) assert.equal(await answerTo(locked), missing)
  })

  const key = join(folder, 'key.json')
  writeFileSync(key, JSON.stringify({ type: 'service_account', private_key: 'tiger(Secret-1' }))
  const { options } = twilio('x')
  const cases: readonly [place: string, options: object][] = [
    ['receiptGroup', { ...options, receiptGroup: `file:${key}` }],
    ['senders.44', { ...options, senders: { 44: `file:${key}` } }],
  ]
  for (const [place, given] of cases)
    test(`is refused in ${place}, whose errors quote the value`, async () => {
      const body = { ...twilio('x'), options: given }
      const { status, body: answer } = await admin.call('operator', 'PUT', '/admin/v1/routes/own', body)
      assert.equal(status, 400)
      assert.ok(
        answer.detail.startsWith(`twilio options: ${place} must not be a reference (env: or file:)`),
        answer.detail,
      )
      assert.doesNotMatch(answer.detail, /tiger|private_key/)
    })

  for (const [name, given] of [
    ['an address', { url: `file:${key}` }],
    ['the address of callbacks', { callbackUrl: `file:${key}` }],
    ['a certificate', { tls: { ca: `file:${key}` } }],
  ] as const)
    test(`is not quoted if it is invalid as ${name}`, async () => {
      const body = { ...twilio('x'), options: { ...options, ...given } }
      const { status, body: answer } = await admin.call('operator', 'PUT', '/admin/v1/routes/own', body)
      assert.equal(status, 400)
      assert.doesNotMatch(answer.detail, /tiger|private_key|service_account/)
    })
})

suite(
  'a mask is not replaced by the stored secret if the secret would go elsewhere, after a change of',
  () => {
    const smpp = {
      host: 'smsc.example',
      port: 2775,
      systemId: 'me',
      password: 'hidden-1',
      tls: { verify: true },
    }
    const carriers = { kt: { url: 'https://kt.example/ag/1.2', clientId: 'c', clientSecret: 'hidden-2' } }
    const maap = { carriers, agencyId: 'a', agencyKey: 'hidden-3', webhookToken: 'hidden-of-16-chars' }
    const foreignUrl = 'https://own.example'
    const cases: readonly [name: string, protocol: string, stored: object, given: object, option: string][] =
      [
        ['host', 'smpp', smpp, { ...smpp, host: 'own.example' }, 'host'],
        ['port', 'smpp', smpp, { ...smpp, port: 2776 }, 'port'],
        ['verification', 'smpp', smpp, { ...smpp, tls: { verify: false } }, 'tls.verify'],
        ['name in the certificate', 'smpp', smpp, { ...smpp, tls: { serverName: 'own' } }, 'tls.serverName'],
        ['no TLS', 'smpp', smpp, { ...smpp, tls: undefined }, 'tls.verify'],
        [
          'one more host',
          'maap',
          maap,
          { ...maap, carriers: { ...carriers, skt: { ...carriers.kt, url: foreignUrl, clientSecret: 'x' } } },
          'carriers.skt.url',
        ],
        ['URL', 'twilio', twilio('hidden-4').options, twilio('hidden-4', `${foreignUrl}/api`).options, 'url'],
        [
          'callback',
          'twilio',
          twilio('hidden-4').options,
          { ...twilio('hidden-4').options, callbackUrl: `${foreignUrl}/inbound/kept` },
          'callbackUrl',
        ],
      ]
    /** Masks the options like the admin API. */
    const mask = (options: object): Record<string, unknown> =>
      JSON.parse(JSON.stringify(options).replaceAll(/"hidden-[^"]*"/g, '"***"')) as Record<string, unknown>

    async function put(
      protocol: string,
      stored: object,
      given: object,
      givenProtocol = protocol,
    ): Promise<{ readonly detail: string; readonly options: object }> {
      const channels = [protocol === 'maap' ? 'rcs' : protocol === 'mm7' ? 'mms' : 'sms'] as const
      const route = testRoute('kept', { protocol, channels, enabled: false })
      await upsertRoute(admin.database, { ...route, options: stored as Record<string, unknown> })
      const { version } = await admin.get<{ version: string }>('operator', '/admin/v1/routes/kept')
      const answer = await admin.server.inject({
        method: 'PUT',
        url: '/admin/v1/routes/kept',
        headers: { authorization: `Bearer ${admin.keys.operator}`, 'if-match': version },
        payload: { channels, protocol: givenProtocol, options: given, enabled: false },
      })
      const saved = (await loadRoutes(admin.database)).find(({ id }) => id === 'kept')!
      await admin.database.query(`delete from routes where id = 'kept'`)
      return { detail: answer.json<{ detail: string }>().detail, options: saved.options }
    }

    for (const [name, protocol, stored, given, option] of cases)
      test(`another ${name} of ${protocol}`, async () => {
        const { detail, options } = await put(protocol, stored, mask(given))
        assert.match(detail, /is masked, and '[^']+' has changed; send the secret again/)
        assert.ok(detail.includes(`'options.${option}' has changed`), detail)
        assert.deepEqual(options, stored)
        const again = await put(protocol, stored, given)
        assert.deepEqual(again.options, JSON.parse(JSON.stringify(given)), again.detail)
      })

    test('another protocol', async () => {
      const omni = { url: 'https://smsc.example', clientId: 'c', password: '***' }
      const { detail } = await put('smpp', smpp, omni, 'omni')
      assert.match(
        detail,
        /'options.password' is masked, and the protocol has changed; send the secret again/,
      )
    })

    test('options unrelated to the address can change, including an omitted default', async () => {
      const { host, password } = smpp
      const edited = { host, password, tls: {}, systemId: 'you', window: 5 }
      const { options } = await put('smpp', smpp, mask(edited))
      assert.deepEqual(options, edited)
    })
  },
)

suite('the address of a route in the audit log', () => {
  const listRows = async (id: string): Promise<Record<string, Record<string, unknown>>[]> => {
    const rows = await listAudit(admin.database, { target: id, result: 'done', limit: 10 })
    return rows.reverse().map(({ details }) => JSON.parse(details) as Record<string, Record<string, unknown>>)
  }
  const putAndDelete = async (id: string, body: object): Promise<void> => {
    const url = `/admin/v1/routes/${id}`
    const { status, body: answer } = await admin.call('operator', 'PUT', url, body)
    assert.equal(status, 200, answer.detail)
    assert.equal((await admin.call('operator', 'DELETE', `${url}?reason=unused`)).status, 200)
  }

  test('is recorded for a new and a deleted route, with secrets masked', async () => {
    await putAndDelete('added', twilio('hidden-5', 'https://own.example/api'))
    const [added, deleted] = await listRows('added')
    for (const { options, address } of [added!, deleted!]) {
      assert.deepEqual([options!['authToken'], options!['url']], ['***', 'https://own.example/api'])
      assert.deepEqual(address, { url: 'https://own.example/api' })
    }
    assert.deepEqual(deleted!['waiting'], 0)
    assert.deepEqual(deleted!['protocol'], 'twilio')
    assert.ok(!JSON.stringify([added, deleted]).includes('hidden-5'))
  })

  test('is recorded for a replaced route, with both addresses', async () => {
    const route = testRoute('moved', { enabled: false, options: { host: 'a.example', systemId: 'me' } })
    await upsertRoute(admin.database, route)
    const { version } = await admin.get<{ version: string }>('operator', '/admin/v1/routes/moved')
    const answer = await admin.server.inject({
      method: 'PUT',
      url: '/admin/v1/routes/moved',
      headers: { authorization: `Bearer ${admin.keys.operator}`, 'if-match': version },
      payload: {
        channels: ['sms'],
        protocol: 'smpp',
        options: { ...route.options, host: 'b.example' },
        enabled: false,
      },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const [{ address }] = (await listRows('moved')) as [Record<string, Record<string, unknown>>]
    assert.deepEqual(address, {
      from: { host: 'a.example', port: 2775 },
      to: { host: 'b.example', port: 2775 },
    })
  })

  test('is recorded even if the options are too long for a row', async () => {
    const { options, ...body } = twilio('hidden-6', `https://far.own.example/${'x'.repeat(1_500)}`)
    const senders = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`1${n + 1_000}`, 'Acme']))
    await putAndDelete('long', { ...body, options: { ...options, senders } })
    for (const { address } of await listRows('long'))
      assert.match(String(address!['url']), /^https:\/\/far\.own\.example\/x+/)
  })

  const { options: plain } = twilio('hidden-7')
  // A URL parser reads numbers with leading zeros as octal, so the first one is 198.
  const padded = `${'0'.repeat(1_900)}306.0.2.1`
  const hidden: readonly [name: string, protocol: string, options: object, hosts: readonly string[]][] = [
    ['zeros before its number', 'twilio', { ...plain, url: `http://${padded}/x` }, ['198.0.2.1']],
    [
      'capital letters and an address for callbacks',
      'twilio',
      {
        callbackUrl: `https://gateway.example/${'y'.repeat(2_000)}`,
        ...plain,
        url: `https://OWN.example:8443/${'x'.repeat(2_000)}`,
      },
      ['own.example:8443', 'gateway.example'],
    ],
    [
      'an address by reference',
      'twilio',
      { ...plain, url: 'env:POSTERN_ROUTE_SECRET_OWN_HOST' },
      ['env:POSTERN_ROUTE_SECRET_OWN_HOST'],
    ],
    ['zeros before its number', 'smpp', { host: padded, systemId: 'me', password: 'x' }, ['198.0.2.1']],
    ['capital letters', 'smpp', { host: 'SMSC.example', systemId: 'me', password: 'x' }, ['smsc.example']],
    [
      'a long path',
      'mm7',
      {
        dialect: '3gpp',
        url: `https://own.example/${'x'.repeat(2_000)}`,
        vaspId: 'v',
        vasId: 'v',
        webhookToken: 'token-of-16-chars',
      },
      ['own.example'],
    ],
  ]
  process.env['POSTERN_ROUTE_SECRET_OWN_HOST'] = 'https://own.example'
  for (const [index, [name, protocol, options, hosts]] of hidden.entries())
    test(`has the host of ${protocol} with ${name}`, async () => {
      const channels = [protocol === 'mm7' ? 'mms' : 'sms'] as const
      await putAndDelete(`far-${index}`, { channels, protocol, enabled: false, options })
      const rows = await listRows(`far-${index}`)
      assert.deepEqual(
        rows.map((row) => row['hosts']),
        [hosts, hosts],
      )
    })

  test('has both hosts of a route replaced by one with very long options', async () => {
    const before = testRoute('swapped', { protocol: 'twilio', enabled: false, options: plain })
    await upsertRoute(admin.database, before)
    const { version } = await admin.get<{ version: string }>('operator', '/admin/v1/routes/swapped')
    const [, protocol, options, hosts] = hidden[1]!
    const answer = await admin.server.inject({
      method: 'PUT',
      url: '/admin/v1/routes/swapped',
      headers: { authorization: `Bearer ${admin.keys.operator}`, 'if-match': version },
      payload: { channels: ['sms'], protocol, options, enabled: false },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const [row] = await listRows('swapped')
    assert.deepEqual(row!['hosts'], { from: ['carrier.example'], to: hosts })
  })
})
