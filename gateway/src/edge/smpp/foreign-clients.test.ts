import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import smpp from 'smpp'
import type { NodePdu } from 'smpp'
import { openSmppServers, smppPassword } from '../../../test/support/smpp/server.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'

const { start, addAccount, record, report } = await openSmppServers()
const server = await start()
const getText = ({ steps: [step] }: AcceptedJob): string =>
  'text' in step! ? step.text : (step as { content: { text: string } }).content.text

test('node-smpp binds, submits in three codings, gets its receipts and unbinds', async () => {
  await addAccount('node-smpp')
  const session = smpp.connect({ url: `smpp://127.0.0.1:${server.port}` })
  const call = (command: 'bind_transceiver' | 'submit_sm' | 'unbind' | 'enquire_link', fields: object = {}) =>
    new Promise<NodePdu>((resolve) => session[command](fields, resolve))
  const receipts: string[] = []
  session.on('pdu', (pdu) => {
    if (pdu.command !== 'deliver_sm') return
    receipts.push(String(pdu.short_message.message))
    session.send(pdu.response())
  })
  const bound = await call('bind_transceiver', { system_id: 'node-smpp', password: smppPassword })
  assert.equal(bound.command_status, 0)
  const to = {
    source_addr: '0234567890',
    destination_addr: '821012345678',
    dest_addr_ton: 1,
    registered_delivery: 1,
  }
  const answers = await Promise.all([
    call('submit_sm', { ...to, data_coding: 0, short_message: 'Hello {there}' }),
    call('submit_sm', { ...to, data_coding: 3, short_message: 'plain latin' }),
    call('submit_sm', { ...to, data_coding: 8, short_message: '안녕하세요' }),
    call('submit_sm', { ...to, message_payload: 'a longer text '.repeat(20).trim() }),
  ])
  assert.deepEqual(new Set(answers.map(({ command_status }) => command_status)), new Set([0]))
  const jobs = await record(4)
  assert.deepEqual(
    new Set(jobs.map(getText)),
    new Set(['Hello {there}', 'plain latin', '안녕하세요', 'a longer text '.repeat(20).trim()]),
  )
  assert.deepEqual(
    new Set(answers.map(({ message_id }) => message_id)),
    new Set(jobs.map(({ msgKey }) => msgKey)),
  )
  await report(jobs)
  await waitFor('the receipts', () =>
    jobs.every(({ msgKey }) => receipts.some((text) => text.startsWith(`id:${msgKey} `))),
  )
  assert.equal((await call('enquire_link')).command_status, 0)
  assert.equal((await call('unbind')).command_status, 0)
  session.close()
})

const hasNetSmpp = existsSync('/usr/share/perl5/Net/SMPP.pm')

test(
  'Net::SMPP, which waits for each response, sends a message in three parts and gets all receipts',
  { skip: !hasNetSmpp },
  async () => {
    await addAccount('perl')
    const script = fileURLToPath(new URL('../../../test/support/smpp/client.pl', import.meta.url))
    const child = spawn('perl', [script, String(server.port), 'perl', smppPassword], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    interface Line {
      readonly step: string
      readonly status?: number
      readonly id?: string
      readonly stat?: string
    }
    const lines: Line[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as Line))
    const of = (step: string): Line[] => lines.filter((line) => line.step === step)
    await waitFor('its submits', () => of('enquire').length === 1, { timeoutMs: 20_000 })
    for (const step of ['bind', 'submit', 'part', 'enquire'])
      for (const { status } of of(step)) assert.equal(status, 0, step)
    const jobs = await record(2)
    assert.deepEqual(
      new Set(jobs.map(getText)),
      new Set(['from Perl', 'A'.repeat(50) + 'B'.repeat(50) + 'C'.repeat(50)]),
    )
    await report(jobs)
    await waitFor('its end', () => of('unbind').length === 1, { timeoutMs: 20_000 })
    assert.deepEqual(
      new Set(of('receipt').map(({ id }) => id)),
      new Set([...of('submit'), ...of('part')].map(({ id }) => id)),
    )
    assert.deepEqual(new Set(of('receipt').map(({ stat }) => stat)), new Set(['DELIVRD']))
  },
)
