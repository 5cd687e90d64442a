/** Which numbers and which users a link of Kannel carries, as rules of a route. Pure. */
import { readPrefix } from './imported.ts'
import type { KannelGroup } from './kannel-file.ts'

/** A number is carried if it is in the allowed ones or, where both are set, not in the denied ones. */
export function readPrefixes(
  values: ReadonlyMap<string, string>,
  notes: string[],
): { prefixes: string[]; expressed: boolean } {
  const preferred = values.get('preferred-prefix')
  if (preferred !== undefined)
    notes.push(
      `preferred-prefix ${preferred}: put a second route with these --prefixes and a lower --priority`,
    )
  if (values.has('denied-prefix')) {
    notes.push(
      `denied-prefix ${values.get('denied-prefix')}: a route has no such rule; it is disabled until you have`,
    )
    notes.push('given routes of a lower --priority to the denied numbers, or listed the allowed ones')
    return { prefixes: [], expressed: false }
  }
  const texts = (values.get('allowed-prefix') ?? '').split(';').filter((text) => text.trim() !== '')
  const prefixes = texts.map(readPrefix)
  const unknown = texts.filter((_text, index) => prefixes[index] === undefined)
  if (unknown.length > 0) notes.push(`allowed-prefix ${unknown.join(';')} is no beginning of a number`)
  return { prefixes: prefixes.filter((prefix) => prefix !== undefined), expressed: unknown.length === 0 }
}

/** Senders name the id of a link, or a user is bound to one: here, accounts are. */
export function accountsOf(
  values: ReadonlyMap<string, string>,
  clientIds: ReadonlyMap<KannelGroup, string>,
  notes: string[],
): { accounts: string[]; matched: boolean } {
  const allowed = list(values.get('allowed-smsc-id'))
  const preferred = list(values.get('preferred-smsc-id'))
  if (preferred.length > 0)
    notes.push(
      `preferred-smsc-id ${preferred.join(';')}: put a second route with --accounts and a lower --priority`,
    )
  if (allowed.length === 0) return { accounts: [], matched: true }
  const accounts = [...clientIds].flatMap(([user, clientId]) => {
    const id = user.values.get('forced-smsc') ?? user.values.get('default-smsc')
    return id !== undefined && allowed.includes(id.toLowerCase()) ? [clientId] : []
  })
  if (accounts.length === 0)
    notes.push(
      `allowed-smsc-id ${allowed.join(';')}: no user is bound to it; set --accounts and enable the route`,
    )
  return { accounts, matched: accounts.length > 0 }
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(';').flatMap((id) => (id.trim() === '' ? [] : [id.trim().toLowerCase()]))
}
