/**
 * What the texts of a step must not have: links that the account may not use, and the marks by which carriers show where a
 * message comes from. Pure; judged at accept.
 */
import type { Step } from '../../channels/channel.ts'
import { someText } from '../../channels/step-texts.ts'
import { findLinks, isListed } from './links.ts'
import type { ProtectedAccount } from './protection.ts'

/** What is wrong with the links of a step, in words for a client; null when all of them are allowed. */
export type FindLinkFault = (own: ProtectedAccount, step: Step) => string | null

/** `shorteners`: domains that `no-shorteners` stops. */
export function createFindLinkFault(shorteners: ReadonlySet<string>): FindLinkFault {
  const domainsOf = createDomainSets()
  return (own, step) => {
    if (own.links === 'any') return null
    const allowed = domainsOf(own)
    const mayHave = (host: string): boolean =>
      isListed(host, allowed) || (own.links === 'no-shorteners' && !isListed(host, shorteners))
    if (!someText(step, (text, isUsual) => findLinks(text, isUsual).some((link) => !link.every(mayHave))))
      return null
    return own.links === 'listed'
      ? 'has a link to a domain that is not registered for the account; ask the operator to register it, and write blanks around addresses and after full stops'
      : 'has a link of a shortener; use the address itself, or ask the operator to register the domain'
  }
}

/** A set for each account, made when it is used first. */
function createDomainSets(): (own: ProtectedAccount) => ReadonlySet<string> {
  const sets = new WeakMap<ProtectedAccount, ReadonlySet<string>>()
  return (own) => {
    let set = sets.get(own)
    if (set === undefined) sets.set(own, (set = new Set(own.linkDomains)))
    return set
  }
}

/** `[Web발신]`, `[국제발신]`, `[국외발신]`, `[로밍발신]`: carriers write them before texts, and no sender may. */
const carrierMark = /[([{<〈《「『【〔]\s*(?:web|웹|국제|국외|해외|로밍)\s*발신\s*[)\]}>〉》」』】〕]/i
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

function hasMarkIn(text: string, isUsual: boolean): boolean {
  if (isUsual) return text.includes('발신') && carrierMark.test(text)
  return carrierMark.test(text.normalize('NFKC').replace(invisible, ''))
}

export function hasCarrierMark(step: Step): boolean {
  return someText(step, hasMarkIn, '발신')
}
