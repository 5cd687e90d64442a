/** HTML text that is already escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | undefined | readonly Value[]

/** Template tag that escapes every value, unless it is already `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + toText(values[index])).join(''))
}

function toText(value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(toText).join('')
  return escape(String(value))
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character]!)
}

/** Converts the subset of Markdown that descriptions use: paragraphs, lists and `code`. */
export function prose(text: string): Html {
  const blocks = text.split(/\n\n+/).map((block) => {
    const lines = block.split('\n')
    return lines.every((line) => line.startsWith('- '))
      ? html`<ul>
          ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
        </ul>`
      : html`<p>${inline(block)}</p>`
  })
  return html`${blocks}`
}

export function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
