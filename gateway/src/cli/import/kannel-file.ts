/** Reads the groups of a Kannel configuration file: `name = value` lines, with blank lines between groups. */

export interface KannelGroup {
  /** The value of its `group = …` line. */
  readonly kind: string
  /** The number of its first line, from 1. */
  readonly line: number
  readonly values: ReadonlyMap<string, string>
}

export interface KannelFile {
  readonly groups: readonly KannelGroup[]
  /** Unreadable parts, one sentence each. */
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
      notes.push(`line ${line}: the following lines belong to no group and are omitted`)
    values = new Map()
  }
  for (const [index, raw] of content.split(/\r?\n/).entries()) {
    const text = raw.trim()
    if (text === '') close()
    if (text === '' || text.startsWith('#')) continue
    const [, name, value] = /^([\w-]+)\s*=\s*(.*)$/.exec(text) ?? []
    if (name === undefined) notes.push(`line ${index + 1} does not have the form name = value and is omitted`)
    else if (name === 'include')
      notes.push(`line ${index + 1}: ${unquote(value!)} is not read: also run the command for that file`)
    else {
      if (values.size === 0) line = index + 1
      values.set(name, unquote(value!))
    }
  }
  close()
  return { groups, notes }
}

/** Removes optional quotes around a value; inside them a backslash escapes. */
function unquote(text: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
  return quoted === undefined ? text.trim() : quoted.replaceAll(/\\(.)/g, '$1')
}
