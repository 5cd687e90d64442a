import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { GENERIC_NACK, esme, messageState } from '../smpp/protocol.ts'
import { startSmsc } from '../smsc.ts'
import type { Smsc } from '../smsc.ts'
import { connectPeer, until } from '../testing/peer.ts'

let smsc: Smsc

before(async () => {
  smsc = await startSmsc({ systemId: 'tester', password: 'secret' })
})

after(() => smsc.close())

test('accepts a valid bind and refuses an invalid one with the error', async () => {
  const right = await connectPeer(smsc.port)
  assert.equal(right.bindResponse.command_status, esme.ROK)
  const stranger = await connectPeer(smsc.port, { systemId: 'stranger' })
  assert.equal(stranger.bindResponse.command_status, esme.RINVSYSID)
  const forgetful = await connectPeer(smsc.port, { password: 'guess' })
  assert.equal(forgetful.bindResponse.command_status, esme.RINVPASWD)
  const refused = await forgetful.submit('821012340001', 'hello')
  assert.equal(refused.command_status, esme.RINVBNDSTS)
  for (const peer of [right, stranger, forgetful]) peer.destroy()
})

test('refuses to bind a session twice', async () => {
  const peer = await connectPeer(smsc.port)
  const second = await new Promise<{ command_status: number }>((resolve) => {
    peer.session.bind_receiver({ system_id: 'tester', password: 'secret' }, resolve)
  })
  assert.equal(second.command_status, esme.RALYBND)
  peer.destroy()
})

test('refuses submits of a receiver and sends no receipt to a transmitter', async () => {
  const receiver = await connectPeer(smsc.port, { bind: 'bind_receiver' })
  const transmitter = await connectPeer(smsc.port, { bind: 'bind_transmitter' })
  assert.equal((await receiver.submit('821012340001', 'hello')).command_status, esme.RINVBNDSTS)
  const response = await transmitter.submit('821012340001', 'hello')
  await until(() => receiver.receipts.length === 1, 'the receipt')
  assert.equal(receiver.receipts[0]?.id, response.message_id)
  assert.deepEqual(transmitter.receipts, [])
  receiver.destroy()
  transmitter.destroy()
})

test('sends an early receipt before the response, even through another session', async () => {
  const receiver = await connectPeer(smsc.port, { bind: 'bind_receiver' })
  const transmitter = await connectPeer(smsc.port, { bind: 'bind_transmitter' })
  const response = await transmitter.submit('821012340005', 'hello')
  assert.equal(receiver.receipts[0]?.id, response.message_id)
  receiver.destroy()
  transmitter.destroy()
})

test('answers enquire_link, rejects unknown commands, and closes on unbind', async () => {
  const peer = await connectPeer(smsc.port)
  assert.equal((await peer.request('enquire_link')).command_status, esme.ROK)
  const unknown = await peer.request('replace_sm', { message_id: '1' })
  assert.equal(unknown.command, 'generic_nack')
  assert.equal(unknown.command_status, esme.RINVCMDID)
  assert.equal((await peer.request('unbind')).command_status, esme.ROK)
  await peer.closed
})

test('a query finds the state of a message, even without a receipt', async () => {
  const peer = await connectPeer(smsc.port)
  for (const [to, state, error] of [
    ['821012340003', messageState.DELIVRD, 0],
    ['821012340002', messageState.UNDELIV, 1],
    ['821012340015', messageState.ENROUTE, 0],
  ] as const) {
    const { message_id } = await peer.submit(to, 'hello', { source_addr: '15880000' })
    const found = await peer.request('query_sm', { message_id, source_addr: '15880000' })
    assert.deepEqual([found.command_status, found.message_state, found.error_code], [esme.ROK, state, error])
    const other = await peer.request('query_sm', { message_id, source_addr: '15990000' })
    assert.equal(other.command_status, esme.RINVMSGID)
  }
  peer.destroy()
})

test('cancels a message before its final state, without a receipt', async () => {
  const hasty = await startSmsc({ lateMs: 200 })
  const peer = await connectPeer(hasty.port)
  const fields = { source_addr: '15880000' }
  const cancel = (message_id: unknown) => peer.request('cancel_sm', { message_id, ...fields })
  const [late, final] = [await peer.submit('821012340015', 'a', fields), await peer.submit('1', 'b', fields)]
  assert.equal((await cancel(late.message_id)).command_status, esme.ROK)
  assert.equal((await cancel(final.message_id)).command_status, esme.RCANCELFAIL)
  const { message_state } = await peer.request('query_sm', { message_id: late.message_id, ...fields })
  assert.equal(message_state, messageState.DELETED)
  await until(() => hasty.stats().receiptsPending === 0, 'the receipts')
  assert.deepEqual(
    peer.receipts.map(({ id }) => id),
    [final.message_id],
  )
  peer.destroy()
  await hasty.close()
})

function header(length: number, commandId: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(length, 0)
  bytes.writeUInt32BE(commandId, 4)
  bytes.writeUInt32BE(9, 12)
  return bytes
}

const malformed: [name: string, bytes: Buffer][] = [
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['a length of 0', header(0, 0x15)],
  ['a length below the header', header(15, 0x15)],
  ['a length beyond any PDU', header(0x7fffffff, 0x04)],
  ['a bind cut short', Buffer.concat([header(20, 0x09), Buffer.from('test')])],
]
for (const [name, bytes] of malformed) {
  test(`closes only the session that sends ${name}`, async () => {
    const bystander = await connectPeer(smsc.port)
    const malformedBefore = smsc.stats().malformed
    const socket = connect(smsc.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.write(bytes)
    await once(socket, 'close')
    const answer = Buffer.concat(chunks)
    assert.equal(answer.readUInt32BE(4), GENERIC_NACK)
    assert.equal(answer.readUInt32BE(8), esme.RINVCMDLEN)
    assert.equal(smsc.stats().malformed, malformedBefore + 1)
    assert.equal((await bystander.request('enquire_link')).command_status, esme.ROK)
    bystander.destroy()
  })
}

test('closes a bound session whose submit has a wrong length', async () => {
  const peer = await connectPeer(smsc.port)
  peer.session.socket.write(Buffer.concat([header(22, 0x04), Buffer.from('000000313233', 'hex')]))
  await peer.closed
})

test('reads a PDU that arrives octet by octet', async () => {
  const socket = connect(smsc.port, '127.0.0.1')
  socket.setNoDelay(true)
  for (const octet of header(16, 0x15)) socket.write(Buffer.of(octet))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.equal(answer.toString('hex'), '00000010800000150000000000000009')
  socket.destroy()
})
