/**
 * Matches texts against a registered template, in which `{#var#}` stands for up to 30 characters, as registered at the DLT
 * platforms of India. Takes time proportional to the product of both lengths for any content, so that no text can block the
 * process.
 */
const placeholder = '{#var#}'
const maxVariable = 30

export function templateMatcher(template: string): (text: string) => boolean {
  const [first = '', ...rest] = template.split(placeholder)
  return (text) => {
    if (!text.startsWith(first)) return false
    // Positions at which the text can continue after the literals so far.
    let ends = new Set([first.length])
    for (const literal of rest) {
      const next = new Set<number>()
      for (const end of ends)
        for (let at = end; at <= Math.min(end + maxVariable, text.length); at++)
          if (!next.has(at + literal.length) && text.startsWith(literal, at)) next.add(at + literal.length)
      ends = next
      if (ends.size === 0) return false
    }
    return ends.has(text.length)
  }
}
