/**
 * Reads commands of Jasmin's console (jcli), from a script or a recorded session: for example `smppccm -a`, then lines
 * of a name and a value, then `ok`; or `smppccm -s CID` and the lines of its output. Prompts and responses of
 * the console are skipped.
 */

export type JasminKind = 'smppccm' | 'user' | 'group' | 'filter' | 'mtrouter' | 'morouter'

export interface JasminObject {
  readonly kind: JasminKind
  /** The line of its first command, from 1. */
  readonly line: number
  readonly values: Map<string, string>
}

export interface JasminFile {
  readonly objects: readonly JasminObject[]
  /** Console commands without a counterpart, each once. */
  readonly others: readonly string[]
}

/** The parameter that identifies an object of a kind. */
const keys: Readonly<Record<JasminKind, string>> = {
  smppccm: 'cid',
  user: 'uid',
  group: 'gid',
  filter: 'fid',
  mtrouter: 'order',
  morouter: 'order',
}
const ignored = ['persist', 'load', 'quit', 'help']

export function readJasminFile(content: string): JasminFile {
  const objects: JasminObject[] = []
  const others = new Set<string>()
  let open: JasminObject | undefined
  for (const [index, raw] of content.split(/\r?\n/).entries()) {
    const text = raw.trim().replace(/^(?:jcli\s*:|>)\s*/, '')
    const command = /^([a-z]+)\s+(-\w|--\w+)(?:[ =]+(\S+))?/.exec(text)
    if (command !== null) {
      open = isKind(command[1]!) ? begin(objects, command[1], command[2]!, command[3], index + 1) : undefined
      if (open === undefined && !isKind(command[1]!)) others.add(command[1]!)
    } else if (ignored.includes(text)) open = undefined
    else if (text === 'ok' || text === 'ko') {
      if (text === 'ko' && open !== undefined) objects.splice(objects.indexOf(open), 1)
      open = undefined
    } else if (open !== undefined && !/^(?:#|Adding |Updating |Successfully |Total )/.test(text))
      storeValue(open, text)
  }
  return { objects: objects.filter(({ values }) => values.size > 0), others: [...others] }
}

/** Returns the object that the following lines belong to, or undefined if they belong to none. */
function begin(
  objects: JasminObject[],
  kind: JasminKind,
  option: string,
  id: string | undefined,
  line: number,
): JasminObject | undefined {
  const index = objects.findIndex((object) => object.kind === kind && object.values.get(keys[kind]) === id)
  if (/^(?:-r|--remove)/.test(option)) {
    if (id !== undefined && index >= 0) objects.splice(index, 1)
    return undefined
  }
  if (!/^(?:-[aus]|--add|--update|--show)/.test(option)) return undefined
  if (id !== undefined && index >= 0) return objects[index]
  const values = new Map(id === undefined ? [] : [[keys[kind], id]])
  objects.push({ kind, line, values })
  return objects.at(-1)
}

/** Stores a value. `mt_messaging_cred quota balance 44.2` has a name of three words. */
function storeValue({ values }: JasminObject, text: string): void {
  const [, name, value] = /^(\w+_cred \w+ \w+|\w+)\s*(.*)$/.exec(text) ?? []
  if (name !== undefined && value !== 'None') values.set(name, value!)
}

function isKind(name: string): name is JasminKind {
  return Object.hasOwn(keys, name)
}
