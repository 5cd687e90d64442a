/**
 * Converts a Kannel configuration to routes and accounts: groups `smsc` of the type smpp, and groups
 * `sendsms-user`.
 */
import { providers } from '../../carriers/connectors/providers/index.ts'
import type { ImportedConfiguration, ImportedAccount, ImportedRoute } from './imported.ts'
import { UniqueNames, passwordVariable } from './imported.ts'
import { readKannelFile, type KannelGroup } from './kannel-file.ts'
import { readLink } from './kannel-link.ts'

export function importKannel(content: string): ImportedConfiguration {
  const { groups, notes } = readKannelFile(content)
  const users = groups.filter(({ kind }) => kind === 'sendsms-user')
  const links = groups.filter(({ kind }) => kind === 'smsc')
  const ids = new UniqueNames()
  const clients = new UniqueNames()
  const clientIds = new Map(users.map((user) => [user, clients.next(user.values.get('username') ?? 'user')]))
  const routes: ImportedRoute[] = []
  const configurationNotes = [...notes]
  for (const link of links) {
    const type = link.values.get('smsc') ?? ''
    if (type === 'smpp')
      routes.push(readLink(link, ids.next(link.values.get('smsc-id') ?? 'smsc'), clientIds))
    else {
      const explanation = explainUnsupported(type, link.values.get('system-type') ?? '')
      configurationNotes.push(`line ${link.line}: link of type ${type || 'unknown'}: ${explanation}`)
    }
  }
  const others = new Set(
    groups.map(({ kind }) => kind).filter((kind) => kind !== 'smsc' && kind !== 'sendsms-user'),
  )
  if (others.size > 0) configurationNotes.push(`Groups without a counterpart: ${[...others].join(', ')}`)
  return {
    accounts: users.map((user) => readUser(user, clientIds.get(user)!)),
    routes,
    secrets: routes.map(({ id, source }) => ({
      name: passwordVariable(id),
      source: `smsc-password, ${source}`,
    })),
    notes: configurationNotes,
  }
}

function explainUnsupported(type: string, systemType: string): string {
  if (type === 'http')
    return providers.some(({ name }) => name === systemType)
      ? `use the protocol ${systemType} with the credentials of its API (docs/reference/connectors/${systemType}.md)`
      : 'use the protocol of its provider, or write a module for its API (docs/contributing/add-a-provider.md)'
  return type === 'fake' ? 'use the simulator or the protocol sandbox' : 'there is no counterpart'
}

function readUser({ values, line }: KannelGroup, clientId: string): ImportedAccount {
  const unsupported = [
    'allowed-prefix',
    'denied-prefix',
    'user-allow-ip',
    'user-deny-ip',
    'white-list',
    'black-list',
  ]
  const foundSettings = unsupported.filter((name) => values.has(name))
  return {
    clientId,
    name: values.get('name') ?? values.get('username') ?? `line ${line}`,
    notes:
      foundSettings.length > 0
        ? [`Not imported; set them on routes and keys: ${foundSettings.join(', ')}`]
        : [],
  }
}
