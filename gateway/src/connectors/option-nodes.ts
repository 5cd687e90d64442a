/** The parts of the schema that may describe a value in the options of a route. Pure. */

export interface OptionNode {
  readonly type?: string
  readonly anyOf?: readonly OptionNode[]
  readonly properties?: Readonly<Record<string, OptionNode>>
  readonly patternProperties?: Readonly<Record<string, OptionNode>>
  readonly items?: OptionNode
  /** It is shown as a mask. */
  readonly secret?: boolean
  /** It says where the link goes, or whom it trusts there. */
  readonly address?: boolean
  /** It is a URL that the link uses, or the name of a host. */
  readonly host?: boolean
  /** Whether it may be a reference, where that does not follow from the other marks. */
  readonly reference?: boolean
}

/** Whether a text may be a reference to a variable or a file. */
export function mayRefer({ type, secret, address, reference }: OptionNode): boolean {
  return type === 'string' && (reference ?? (secret === true || address === true))
}

export function choicesOf(node: OptionNode): OptionNode[] {
  return node.anyOf === undefined ? [node] : node.anyOf.flatMap(choicesOf)
}

export const fieldOf =
  (name: string) =>
  (node: OptionNode): OptionNode[] => {
    if (isOpen(node)) return [node]
    const field = Object.hasOwn(node.properties ?? {}, name) ? node.properties![name] : undefined
    const inner = field ?? Object.values(node.patternProperties ?? {})[0]
    return inner === undefined ? [] : choicesOf(inner)
  }

export function itemsOf(node: OptionNode): OptionNode[] {
  if (isOpen(node)) return [node]
  return node.items === undefined ? [] : [node.items]
}

/** Any value is allowed, at any depth. */
function isOpen({ properties, patternProperties, items }: OptionNode): boolean {
  return properties === undefined && patternProperties === undefined && items === undefined
}
