/**
 * Determines the address, type of number and numbering plan of a sender or recipient: by the first matching rule of the
 * route, otherwise by its defaults for the form of the number.
 */
import { formatNumber, classifyNumber } from '../phone-number.ts'
import type { SmppOptions } from './options.ts'

export interface Address {
  readonly ton: number
  readonly npi: number
  readonly value: string
}

type Rule = SmppOptions['addressRules'][number]

const international = { ton: 1, npi: 1 } as const
const alphanumeric = { ton: 5, npi: 0 } as const

export function addressWriter(
  options: Pick<SmppOptions, 'addressRules' | 'source' | 'destination' | 'countryCode'>,
): (which: 'source' | 'destination', given: string) => Address {
  const rules = {
    source: options.addressRules.filter(({ of }) => of !== 'destination'),
    destination: options.addressRules.filter(({ of }) => of !== 'source'),
  }
  return (which, given) => {
    const rule = rules[which].find((candidate) => applies(candidate, given))
    if (rule !== undefined) {
      const value = rule.format === 'as-given' ? given : formatNumber(given, rule.format, options.countryCode)
      return { ton: rule.ton, npi: rule.npi, value: withoutPlus(value, rule.format === 'e164') }
    }
    switch (classifyNumber(given)) {
      case 'international':
        return { ...international, value: given.slice(1) }
      case 'domestic':
        return { ...options[which], value: given }
      case 'text':
        return { ...alphanumeric, value: given }
    }
  }
}

function applies({ prefix, minLength, maxLength, kind }: Rule, given: string): boolean {
  return (
    given.startsWith(prefix) &&
    given.length >= minLength &&
    given.length <= maxLength &&
    (kind === 'any' || kind === classifyNumber(given))
  )
}

/** Strips the plus sign unless the rule keeps it: carriers expect digits only. */
function withoutPlus(value: string, keep: boolean): string {
  return keep || classifyNumber(value) !== 'international' ? value : value.slice(1)
}
