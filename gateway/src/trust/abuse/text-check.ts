/**
 * Finds forbidden content in the texts of a step: links that the account must not use, and the marks of
 * carriers.
 */
import type { Step } from '../../channels/channel.ts'
import { someStepText } from '../../channels/step-texts.ts'
import { findLinks, isListed } from './links.ts'
import type { ProtectedAccount } from './protection.ts'

/** Returns the client's error text for the links of a step, or null if all of them are allowed. */
export type FindLinkFault = (protection: ProtectedAccount, step: Step) => string | null

export function createFindLinkFault(shorteners: ReadonlySet<string>): FindLinkFault {
  const getDomains = createDomainSets()
  return (protection, step) => {
    if (protection.links === 'any') return null
    const allowed = getDomains(protection)
    const isAllowed = (host: string): boolean =>
      isListed(host, allowed) || (protection.links === 'no-shorteners' && !isListed(host, shorteners))
    if (
      !someStepText(step, (text, isPlain) => findLinks(text, isPlain).some((link) => !link.every(isAllowed)))
    )
      return null
    return protection.links === 'listed'
      ? 'contains a link to a domain that is not registered for the account; ask the operator to register it, and put spaces around addresses and after full stops'
      : 'contains a shortened link; use the target address, or ask the operator to register the domain'
  }
}

/** Caches a set of domains per account. */
function createDomainSets(): (protection: ProtectedAccount) => ReadonlySet<string> {
  const sets = new WeakMap<ProtectedAccount, ReadonlySet<string>>()
  return (protection) => {
    let set = sets.get(protection)
    if (set === undefined) sets.set(protection, (set = new Set(protection.linkDomains)))
    return set
  }
}

/** Matches marks such as `[Web발신]` and `[국제발신]`: carriers write them before texts, and senders must not. */
const carrierMark = /[([{<〈《「『【〔]\s*(?:web|웹|국제|국외|해외|로밍)\s*발신\s*[)\]}>〉》」』】〕]/i
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

function hasMark(text: string, isPlain: boolean): boolean {
  if (isPlain) return text.includes('발신') && carrierMark.test(text)
  return carrierMark.test(text.normalize('NFKC').replace(invisible, ''))
}

export function hasCarrierMark(step: Step): boolean {
  return someStepText(step, hasMark, '발신')
}
