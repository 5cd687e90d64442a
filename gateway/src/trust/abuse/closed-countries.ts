/** Countries abroad that an account may not send to: judged at accept, and again before a submission. Pure. */
import type { Denial, JudgedAccount } from '../rule-group.ts'
import { countryOf } from '../../channels/country-codes.ts'
import type { ProtectedAccount } from './protection.ts'

export const closed: Denial = {
  ...{ verdict: 'fail', rule: 'country-enabled', cause: 'no-route' },
  text: 'the country of the recipient is not enabled for the account',
}

/** A number abroad whose country is not enabled. A code that belongs to no country needs all of them. */
export function isClosed(
  { rules, account }: JudgedAccount,
  { countries }: ProtectedAccount,
  to: string,
): boolean {
  if (!to.startsWith('+') || !rules.has('country-enabled') || account.sandbox) return false
  return !countries.includes('*') && !countries.includes(countryOf(to) ?? '')
}

export function closedText(to: string): string {
  const country = countryOf(to)
  return `Country not enabled: ${country ?? 'this calling code'} is closed for the account; ask the operator of the service to open it`
}
