import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { selfSigned } from '../../../../test/support/engines/certificate.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { SmppClient, submitBody } from '../../../../test/support/smpp/client.ts'
import { openSmppServers, smppPassword } from '../../../../test/support/smpp/server.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { TextStep } from '../../../channels/channel.ts'
import { createMsgKey } from '../../../contract/msg-key.ts'
import { insertReply } from '../../../records/replies/queries.ts'
import { writeHeader } from '../../../carriers/smpp/concatenation.ts'
import type { BindKind } from '../../../carriers/smpp/pdu.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { readTlv } from '../../../carriers/smpp/tlv.ts'

const { database, start, addAccount, record, report } = await openSmppServers()
const server = await start()

async function client(systemId: string, kind: BindKind = 'bind_transceiver', port = server.port) {
  const connected = await SmppClient.connect(port)
  addCleanup(() => connected.close())
  assert.equal(await connected.bind(systemId, smppPassword, kind), statuses.ESME_ROK)
  return connected
}

async function bindStatus(systemId: string, password = smppPassword, kind: BindKind = 'bind_transceiver') {
  const connected = await SmppClient.connect(server.port)
  addCleanup(() => connected.close())
  return connected.bind(systemId, password, kind)
}

const isReceipt = (id: string) => (delivery: { text: string }) => delivery.text.startsWith(`id:${id} `)

test("a message gets its msgKey after the broker's confirm, and later its receipt", async () => {
  const accountId = await addAccount('shop')
  const shop = await client('shop')
  const { status, id } = await shop.submit({
    destination: '821012345678',
    shortMessage: Buffer.from('hello @'),
  })
  assert.equal(status, statuses.ESME_ROK)
  const [job] = await record(1)
  assert.equal(job!.msgKey, id)
  assert.equal(job!.accountId, accountId)
  assert.equal(job!.to, '01012345678')
  assert.equal((job!.steps[0] as TextStep).channel, 'sms')
  await report([job!])
  await waitFor('the receipt', () => shop.deliveries.some(isReceipt(id)))
  const { text, pdu } = shop.deliveries.find(isReceipt(id))!
  assert.match(text, /stat:DELIVRD err:000 text:$/)
  assert.equal(pdu.source, '821012345678')
  assert.equal(readTlv(pdu.tlvs, 'receiptedMessageId'), id)
})

test('numbers abroad are international, and a text that is too long for an SMS is an LMS', async () => {
  await addAccount('channels')
  const bound = await client('channels')
  await bound.submit({ destination: '4915112345678' })
  await bound.submit({ shortMessage: Buffer.from('x'.repeat(91)) })
  const jobs = await record(2)
  assert.deepEqual(jobs.map(({ steps }) => steps[0]!.channel).sort(), ['international', 'mms'])
})

for (const [sourceTon, source, from] of [
  [1, '12025550123', '+12025550123'],
  [5, 'Bank 24', 'Bank 24'],
] as const)
  test(`the sender ${source} of type ${sourceTon} is accepted abroad, and refused to Korea`, async () => {
    const systemId = `from-${sourceTon}`
    await addAccount(systemId)
    const bound = await client(systemId)
    const addressing = { source, sourceTon, sourceNpi: sourceTon === 1 ? 1 : 0 }
    assert.equal(
      (await bound.submit({ ...addressing, destination: '4915112345678' })).status,
      statuses.ESME_ROK,
    )
    const [job] = await record(1)
    assert.equal((job!.steps[0] as TextStep).from, from)
    const home = await bound.submit({ ...addressing, destination: '821012345678' })
    assert.equal(home.status, statuses.ESME_RINVSRCADR)
    await report([job!])
    await waitFor('the receipt', () => bound.deliveries.some(isReceipt(job!.msgKey)))
    const { pdu } = bound.deliveries.find(isReceipt(job!.msgKey))!
    assert.deepEqual([pdu.destinationTon, pdu.destination], [sourceTon, source])
  })

test('refusals of the API have the status of their result code', async () => {
  await addAccount('refused')
  const bound = await client('refused')
  const status = async (changes: Parameters<typeof submitBody>[0]) => (await bound.submit(changes)).status
  assert.equal(await status({ source: 'Postern', sourceTon: 5 }), statuses.ESME_RINVSRCADR)
  assert.equal(await status({ destination: '12', destinationTon: 2 }), statuses.ESME_RINVDSTADR)
  assert.equal(await status({ dataCoding: 4 }), statuses.ESME_RINVDCS)
  assert.equal(await status({ scheduleDeliveryTime: '200101000000000+' }), statuses.ESME_RINVSCHED)
  assert.equal(
    await status({ dataCoding: 8, shortMessage: Buffer.from('d83dde00', 'hex') }),
    statuses.ESME_RSUBMITFAIL,
  )
})

test('a bind needs the right password, a scope and an allowed address, and SMPP must be allowed', async () => {
  await addAccount('guarded', {}, { scopes: ['send'], networks: ['127.0.0.1/32'] })
  await addAccount('elsewhere', {}, { networks: ['203.0.113.0/24'] })
  await addAccount('http-only', { smppBinds: 0 })
  assert.equal(await bindStatus('guarded', 'wrong'), statuses.ESME_RINVPASWD)
  assert.equal(await bindStatus('nobody'), statuses.ESME_RINVPASWD)
  assert.equal(await bindStatus('http-only'), statuses.ESME_RINVPASWD)
  assert.equal(await bindStatus('elsewhere'), statuses.ESME_RBINDFAIL)
  assert.equal(await bindStatus('guarded', smppPassword, 'bind_receiver'), statuses.ESME_RBINDFAIL)
  assert.equal(await bindStatus('guarded', smppPassword, 'bind_transmitter'), statuses.ESME_ROK)
})

test('binds are counted over all servers, and an ended bind makes room', async () => {
  await addAccount('counted', { smppBinds: 2 })
  const other = await start()
  const first = await client('counted')
  await client('counted', 'bind_receiver', other.port)
  assert.equal(await bindStatus('counted'), statuses.ESME_RALYBND)
  await first.close()
  await waitFor('the bind to end', async () => {
    const { rows } = await database.query<{ n: number }>(
      'select count(*) as n from smpp_binds b join accounts a on a.id = b.account_id where client_id = $1',
      ['counted'],
    )
    return rows[0]!.n === 1
  })
  await client('counted')
})

test('binds of a server that was killed do not count', async () => {
  const accountId = await addAccount('crashed', { smppBinds: 1 })
  // Its process id is unused, so this machine knows immediately that it has ended.
  await database.query(
    `insert into members (id, role, host, machine, pid)
     select 'killed', role, host, machine, 4194303 from members where machine is not null limit 1`,
  )
  await database.query(
    `insert into smpp_binds (id, member, account_id, kind, address) values ('old', 'killed', $1, 'receiver', '127.0.0.1')`,
    [accountId],
  )
  await client('crashed')
})

test('receipts wait while the account is unbound and repeat until acknowledged', async () => {
  await addAccount('owed')
  const sending = await client('owed', 'bind_transmitter')
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await sending.submit()).id)
  await report(await record(5))
  const deaf = await SmppClient.connect(server.port, { answer: () => null })
  assert.equal(await deaf.bind('owed', smppPassword, 'bind_receiver'), statuses.ESME_ROK)
  await waitFor('the first deliveries', () => deaf.deliveries.length === 5)
  await deaf.close()
  await waitFor('the lost bind to count no more', async () => {
    const { rows } = await database.query(
      `select from smpp_binds b join accounts a on a.id = b.account_id where a.client_id = 'owed'`,
    )
    return rows.length === 1
  })
  const receiving = await client('owed', 'bind_receiver')
  await waitFor('all receipts', () => ids.every((id) => receiving.deliveries.some(isReceipt(id))))
  await receiving.close()
  // Acknowledged: nothing is left for the next bind.
  await waitFor('the position', async () => {
    const { rows } = await database.query<{ left: number }>(
      `select s.last_seq - c.acked_seq as left from report_sequences s join report_consumers c using (account_id)
         join accounts a on a.id = account_id where client_id = 'owed' and c.name = '~smpp'`,
    )
    return rows[0]?.left === 0
  })
})

test('receipts of an account without a position are not skipped', async () => {
  const accountId = await addAccount('early')
  const sending = await client('early', 'bind_transmitter')
  const { id } = await sending.submit()
  await database.query('delete from report_consumers where account_id = $1', [accountId])
  await report(await record(1))
  const receiving = await client('early', 'bind_receiver')
  await waitFor('the receipt', () => receiving.deliveries.some(isReceipt(id)))
})

test('a receipt that every bind refuses temporarily is stored, and the others arrive', async () => {
  const accountId = await addAccount('unsure', { smppBinds: 4 })
  const submitting = await client('unsure', 'bind_transmitter')
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push((await submitting.submit()).id)
  const [unknown] = ids.splice(4, 1)
  await report(await record(20))
  const receive = async (status: number) => {
    const bound = await SmppClient.connect(server.port, {
      answer: ({ shortMessage }) => (Buffer.from(shortMessage).includes(unknown!) ? status : 0),
    })
    addCleanup(() => bound.close())
    assert.equal(await bound.bind('unsure', smppPassword, 'bind_receiver'), statuses.ESME_ROK)
    return bound
  }
  const first = await receive(statuses.ESME_RSYSERR)
  await waitFor('the others', () => ids.every((id) => first.deliveries.some(isReceipt(id))))
  await first.close()
  const second = await receive(statuses.ESME_RSYSERR)
  const later = (await submitting.submit()).id
  await report(await record(1))
  await waitFor('the receipt after it', () => second.deliveries.some(isReceipt(later)))
  const stored = async (): Promise<boolean> => {
    const sql = 'select from smpp_receipts where account_id = $1 and message_id = $2'
    return (await database.query(sql, [accountId, unknown])).rowCount === 1
  }
  await waitFor('the refused one to be stored', stored)
  await second.close()
  // The first repetition is due after a minute.
  await database.query('update smpp_receipts set due_at = now() where account_id = $1', [accountId])
  const third = await receive(statuses.ESME_ROK)
  await waitFor('the stored receipt to be removed', async () => !(await stored()))
  assert.deepEqual(
    third.deliveries.map(({ text }) => text.split(' ')[0]),
    [`id:${unknown}`],
  )
})

test('parts in any order, over two binds and two servers, become one message that counts once', async () => {
  await addAccount('long', { limits: { send: 1, report: null, file: null, form: null } })
  const other = await start()
  const binds = [await client('long'), await client('long', 'bind_transceiver', other.port)]
  const text = 'A long text. '.repeat(40).trim()
  const cuts = text.match(/.{1,153}/gs)!
  const answers: { status: number; id: string }[] = []
  for (const [turn, index] of [3, 1, 0, 2].entries()) {
    const header = writeHeader('udh8', { reference: 9, part: index + 1, parts: cuts.length })
    const shortMessage = Buffer.concat([header, Buffer.from(cuts[index]!)])
    answers.push(await binds[turn % 2]!.submit({ esmClass: 0x40, shortMessage }))
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    [0, 0, 0, 0],
  )
  const [job] = await record(1)
  assert.deepEqual(
    answers.map(({ id }) => id),
    [`${job!.msgKey}-4`, `${job!.msgKey}-2`, job!.msgKey, `${job!.msgKey}-3`],
  )
  assert.equal((job!.steps[0] as { content: { text: string } }).content.text, text)
  await report([job!], 'no-subscriber')
  const deliveries = () => binds.flatMap((bind) => bind.deliveries)
  await waitFor('a receipt of each part', () => answers.every(({ id }) => deliveries().some(isReceipt(id))))
  assert.match(deliveries()[0]!.text, /stat:UNDELIV err:301/)
})

test('an account over its limit is throttled, and its neighbour is not', async () => {
  await addAccount('fast', { limits: { send: 1, report: null, file: null, form: null } })
  await addAccount('calm')
  const [fast, calm] = [await client('fast'), await client('calm')]
  const flood = await Promise.all(Array.from({ length: 30 }, () => fast.submit()))
  assert.ok(flood.some(({ status }) => status === statuses.ESME_RTHROTTLED))
  assert.equal((await calm.submit()).status, statuses.ESME_ROK)
  await record(flood.filter(({ status }) => status === 0).length + 1)
})

test('a bind whose credential is revoked is unbound', async () => {
  const accountId = await addAccount('revoked')
  const bound = await client('revoked')
  await database.query('update credentials set revoked_at = now(), hash = null where account_id = $1', [
    accountId,
  ])
  await waitFor('the end of the bind', () => bound.closed)
})

test('requests in the wrong state of a session are refused', async () => {
  await addAccount('states', { smppBinds: 5 })
  const unbound = await SmppClient.connect(server.port)
  assert.equal((await unbound.submit()).status, statuses.ESME_RINVBNDSTS)
  await unbound.close()
  const bound = await client('states', 'bind_receiver')
  assert.equal((await bound.submit()).status, statuses.ESME_RINVBNDSTS)
  assert.equal(await bound.bind('states', smppPassword), statuses.ESME_RALYBND)
  assert.equal((await bound.request('enquire_link', {})).kind, 'enquire_link_resp')
  assert.equal((await bound.request('unbind', {})).kind, 'unbind_resp')
})

test('a stopping server completes open requests and unbinds', async () => {
  await addAccount('stopping')
  const stopping = await start()
  const bound = await client('stopping', 'bind_transceiver', stopping.port)
  const sending = Promise.all(Array.from({ length: 20 }, () => bound.submit()))
  await stopping.role.drain()
  const accepted = (await sending.catch(() => [])).filter(({ status }) => status === 0)
  await waitFor('the end of the connection', () => bound.closed)
  if (accepted.length > 0) await record(accepted.length)
})

test('replies are delivered to binds of accounts that enable them', async () => {
  const accountId = await addAccount('talking', { smppReplies: true })
  const bound = await client('talking')
  await insertReply(database, {
    replyKey: createMsgKey('00', new Date()),
    accountId,
    routeId: 'north',
    serviceType: 'SMS',
    carrierKey: null,
    fromIndex: Buffer.from('index'),
    parts: 1,
    missing: 0,
    choice: null,
    sentAt: new Date(),
    content: { from: '01012345678', to: '0234567890', kind: 'number', text: 'yes please' },
  })
  await waitFor('the reply', () => bound.deliveries.length === 1)
  const [{ text, pdu }] = bound.deliveries as [(typeof bound.deliveries)[number]]
  assert.deepEqual(
    [text, pdu.source, pdu.destination, pdu.esmClass],
    ['yes please', '01012345678', '0234567890', 0],
  )
})

test('uses TLS with the API certificate, or plaintext if disabled', async () => {
  await addAccount('sealed')
  const { key, cert } = selfSigned('127.0.0.1')
  const folder = mkdtempSync(join(tmpdir(), 'postern-smpp-'))
  addCleanup(() => rmSync(folder, { recursive: true }))
  const files = { httpCertFile: join(folder, 'cert.pem'), httpKeyFile: join(folder, 'key.pem') }
  writeFileSync(files.httpCertFile, cert)
  writeFileSync(files.httpKeyFile, key)
  const secure = await start(files)
  const bound = await SmppClient.connect(secure.port, { ca: cert })
  addCleanup(() => bound.close())
  assert.equal(await bound.bind('sealed', smppPassword), statuses.ESME_ROK)
  assert.equal((await bound.submit()).status, statuses.ESME_ROK)
  await record(1)
  const clear = await start({ ...files, smppServerTls: 'off' })
  await client('sealed', 'bind_transceiver', clear.port)
})

test('a flood of wrong passwords is throttled and logs no personal data', async () => {
  await addAccount('attacked')
  const guarded = await start({ tokenFailuresPerMinute: 3 })
  const guess = async (password: string): Promise<number> => {
    const guessing = await SmppClient.connect(guarded.port)
    const status = await guessing.bind('attacked', password)
    await guessing.close()
    return status
  }
  const answers: number[] = []
  for (let n = 0; n < 6; n++) answers.push(await guess(`guess${n}`))
  assert.equal(answers[0], statuses.ESME_RINVPASWD)
  assert.ok(answers.includes(statuses.ESME_RTHROTTLED), String(answers))
  const log = [...guarded.lines, ...server.lines].join('\n')
  for (const secret of ['guess0', smppPassword, '01012345678', '821012345678', 'hello'])
    assert.ok(!log.includes(secret), secret)
})
