/** Reads the groups of a configuration file of Kannel: `name = value` lines, groups apart by blank lines. Pure. */

export interface KannelGroup {
  /** The value of its line `group = …`. */
  readonly kind: string
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly values: ReadonlyMap<string, string>
}

export interface KannelFile {
  readonly groups: readonly KannelGroup[]
  /** What cannot be read, one sentence each. */
  readonly notes: readonly string[]
}

export function readKannelFile(content: string): KannelFile {
  const groups: KannelGroup[] = []
  const notes: string[] = []
  let values = new Map<string, string>()
  let line = 0
  const close = (): void => {
    const kind = values.get('group')
    if (kind !== undefined) groups.push({ kind, line, values })
    else if (values.size > 0)
      notes.push(`line ${line}: the lines from here on name no group: they are left out`)
    values = new Map()
  }
  for (const [index, raw] of content.split(/\r?\n/).entries()) {
    const text = raw.trim()
    if (text === '') close()
    if (text === '' || text.startsWith('#')) continue
    const [, name, value] = /^([\w-]+)\s*=\s*(.*)$/.exec(text) ?? []
    if (name === undefined) notes.push(`line ${index + 1} is not of the form name = value: it is left out`)
    else if (name === 'include')
      notes.push(`line ${index + 1}: ${unquote(value!)} is not read: run the command for it, too`)
    else {
      if (values.size === 0) line = index + 1
      values.set(name, unquote(value!))
    }
  }
  close()
  return { groups, notes }
}

/** Quotes are optional around a value; inside them a backslash escapes. */
function unquote(text: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
  return quoted === undefined ? text.trim() : quoted.replaceAll(/\\(.)/g, '$1')
}
