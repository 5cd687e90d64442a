/** Converts the numbers and users of a Kannel link to rules of a route. */
import { readPrefix } from './imported.ts'
import type { KannelGroup } from './kannel-file.ts'

/**
 * Kannel carries every number over a link without prefixes. Otherwise it carries numbers with an allowed prefix and, if
 * `denied-prefix` is set, numbers without a denied one.
 */
export function readLinkPrefixes(
  values: ReadonlyMap<string, string>,
  notes: string[],
): { prefixes: string[]; isExpressed: boolean } {
  const preferred = values.get('preferred-prefix')
  if (preferred !== undefined)
    notes.push(
      `preferred-prefix ${preferred}: add a second route with these --prefixes and a lower --priority`,
    )
  if (values.has('denied-prefix')) {
    notes.push(
      `denied-prefix ${values.get('denied-prefix')}: a route has no such rule and is disabled. Enable it after you have`,
    )
    notes.push('given routes of a lower --priority to the denied numbers, or listed the allowed ones')
    return { prefixes: [], isExpressed: false }
  }
  const texts = (values.get('allowed-prefix') ?? '').split(';').filter((text) => text.trim() !== '')
  const prefixes = texts.map(readPrefix)
  const unknown = texts.filter((_text, index) => prefixes[index] === undefined)
  if (unknown.length > 0) notes.push(`allowed-prefix ${unknown.join(';')} is not a prefix of a number`)
  return { prefixes: prefixes.filter((prefix) => prefix !== undefined), isExpressed: unknown.length === 0 }
}

/** Returns the accounts of a link. In Kannel, senders name the id of a link, or a user is bound to one. */
export function findLinkAccounts(
  values: ReadonlyMap<string, string>,
  clientIds: ReadonlyMap<KannelGroup, string>,
  notes: string[],
): { accounts: string[]; isMatched: boolean } {
  const allowed = list(values.get('allowed-smsc-id'))
  const preferred = list(values.get('preferred-smsc-id'))
  if (preferred.length > 0)
    notes.push(
      `preferred-smsc-id ${preferred.join(';')}: add a second route with --accounts and a lower --priority`,
    )
  if (allowed.length === 0) return { accounts: [], isMatched: true }
  const accounts = [...clientIds].flatMap(([user, clientId]) => {
    const id = user.values.get('forced-smsc') ?? user.values.get('default-smsc')
    return id !== undefined && allowed.includes(id.toLowerCase()) ? [clientId] : []
  })
  if (accounts.length === 0)
    notes.push(
      `allowed-smsc-id ${allowed.join(';')}: no user is bound to this link; set --accounts and enable the route`,
    )
  return { accounts, isMatched: accounts.length > 0 }
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(';').flatMap((id) => (id.trim() === '' ? [] : [id.trim().toLowerCase()]))
}
