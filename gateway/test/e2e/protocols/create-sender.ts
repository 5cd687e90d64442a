import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Credentials } from '../../support/processes/account-client.ts'
import { createAccount, postern } from '../../support/processes/postern-command.ts'
import { registerSenders } from '../../support/processes/register-senders.ts'
import type { TestInstallation } from '../../support/processes/test-installation.ts'
import { from } from '../system.ts'
import { planFlows } from './flows.ts'
import { foreignSenderKey, registeredSenderKey } from './kakao.ts'
import { originCid } from './mm7.ts'
import { planProtocol } from './plan.ts'
import type { HttpProtocol } from './protocol.ts'
import { chatbot } from './rcs.ts'

/** Creates the account of the run with all registrations that trust rules require. */
export async function createSender(
  installation: TestInstallation,
  protocols: readonly HttpProtocol[],
): Promise<Credentials> {
  const { environment, directory } = installation
  const credentials = await createAccount(environment, 'protocols', '--part-counts')
  const { clientId } = credentials
  const command = (...args: string[]): Promise<string> => postern(environment, ...args, '--reason', 'a test')
  // Friendtalks and brand messages are advertisements and the run must pass at night, so all recipients have agreed to them.
  // Only the recipients are needed here, so the messages have no images.
  const images = { mms: '', rcs: '' }
  const messages = [...protocols.flatMap((protocol) => planProtocol(protocol, images)), ...planFlows(images)]
  const agreed = join(directory, 'agreed.txt')
  writeFileSync(agreed, messages.map(({ to }) => `${to}\n`).join(''))
  await Promise.all([
    registerSenders(installation, clientId, [
      ['number', from],
      ['chatbot', chatbot.from],
      ['brand', chatbot.brandKey],
      ['kakao-key', registeredSenderKey],
      // Registered in the gateway but unknown to Kakao.
      ['kakao-key', foreignSenderKey],
    ]),
    command('trust', 'account', 'set', clientId, '--origin-codes', originCid),
    command(
      ...['suppression', 'import', agreed, '--account', clientId],
      ...['--state', 'agreed', '--since', '2026-01-02', '--night'],
    ),
  ])
  return credentials
}
