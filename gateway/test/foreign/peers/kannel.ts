/**
 * Kannel as a client: its bearerbox binds to the server, its smsbox accepts messages over HTTP and calls back
 * with their receipts.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { waitFor } from '../../support/wait.ts'
import type { Client } from './client-program.ts'
import { get, isOpen, openCallbacks, openFolder, startDaemon } from './http-client.ts'

/** Values of `coding` in the interface of Kannel, by data_coding. */
const codings: Readonly<Record<number, string>> = { 0: '0', 8: '2' }
/** Mask for delivered, failed, queued, and the responses of the server (accepted or rejected). */
const allReceipts = '31'

export async function openKannel(port: number, systemId: string, password: string): Promise<Client> {
  const folder = openFolder()
  const [adminPort, boxPort, sendPort] = [await choosePort(), await choosePort(), await choosePort()]
  const delivered = new Set<number>()
  const callbacks = await openCallbacks((query) => {
    if (query.get('type') === '1') delivered.add(Number(query.get('n')))
  }, '')
  writeFileSync(
    join(folder.path, 'kannel.conf'),
    [
      group('core', { 'admin-port': adminPort, 'admin-password': 'local', 'smsbox-port': boxPort }, [
        'admin-interface = 127.0.0.1',
        'dlr-storage = internal',
        'sms-resend-freq = 2',
        'sms-resend-retry = -1',
      ]),
      group('smsc', { smsc: 'smpp', host: '127.0.0.1', port, 'transceiver-mode': 1 }, [
        `smsc-username = ${systemId}`,
        `smsc-password = ${password}`,
        'system-type = ""',
        'interface-version = 34',
        'enquire-link-interval = 2',
        'reconnect-delay = 1',
      ]),
      group('smsbox', { 'bearerbox-host': '127.0.0.1', 'sendsms-port': sendPort }, [
        'sendsms-interface = 127.0.0.1',
      ]),
      group('sendsms-user', { username: 'local', password: 'local', 'max-messages': 10 }, [
        'concatenation = true',
      ]),
    ].join('\n'),
  )
  const bearerbox = startDaemon('/usr/sbin/bearerbox', ['-v', '2', 'kannel.conf'], folder.path)
  await waitFor('bearerbox', () => isOpen(boxPort), { timeoutMs: 20_000 })
  const smsbox = startDaemon('/usr/sbin/smsbox', ['-v', '2', 'kannel.conf'], folder.path)
  await waitFor('smsbox', () => isOpen(sendPort), { timeoutMs: 20_000 })

  async function send(n: number, to: string, text: string, coding: string): Promise<void> {
    const callback = `http://127.0.0.1:${callbacks.port}/?n=${n}&type=%d`
    await get(`http://127.0.0.1:${sendPort}/cgi-bin/sendsms`, {
      username: 'local',
      password: 'local',
      from: '0234567890',
      to: `+${to}`,
      text,
      charset: 'UTF-8',
      coding,
      'dlr-mask': allReceipts,
      'dlr-url': callback,
    })
  }
  return {
    bound: null,
    submit: ({ n, to, text, dataCoding }) => send(n, to, text, codings[dataCoding]!),
    submitLong: ({ n, to, text }) => send(n, to, text, '0'),
    isDelivered: (n) => delivered.has(n),
    statusOf: () => null,
    enquire: () => undefined,
    unbind: () => bearerbox.stop('SIGTERM'),
    async close() {
      await Promise.all([smsbox.stop('SIGKILL'), bearerbox.stop('SIGKILL')])
      await callbacks.close()
      folder.remove()
    },
  }
}

function group(
  name: string,
  settings: Readonly<Record<string, string | number>>,
  more: readonly string[] = [],
): string {
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`)
  return [`group = ${name}`, ...lines, ...more, ''].join('\n')
}
