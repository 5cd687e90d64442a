/**
 * Collects the named schemas of the admin API's OpenAPI document. A schema with a `title` is written once, under that
 * name, and referenced elsewhere.
 */
type Json = null | boolean | number | string | readonly Json[] | JsonObject
interface JsonObject {
  readonly [key: string]: Json
}

export class NamedSchemas {
  readonly components: Record<string, object> = {}

  /** Returns the schema with a reference in place of each titled object, itself included. */
  write(schema: object): object {
    return this.#write(JSON.parse(JSON.stringify(schema)) as JsonObject) as object
  }

  #write(node: Json): Json {
    if (Array.isArray(node)) return (node as readonly Json[]).map((item) => this.#write(item))
    if (typeof node !== 'object' || node === null) return node
    const { title, 'x-internal': isInternal, ...schema } = node as JsonObject
    const internal = isInternal === undefined ? {} : { 'x-internal': isInternal }
    if (typeof title !== 'string') return { ...this.#writeFields(schema), ...internal }
    this.#add(title, this.#writeFields(schema))
    return { $ref: `#/components/schemas/${title}`, ...internal }
  }

  /** Field names are not keywords: a field can be called `title`. */
  #writeFields({ properties, ...keywords }: JsonObject): JsonObject {
    const written = Object.entries(keywords).map(([key, value]) => [key, this.#write(value)] as const)
    const fields = Object.entries((properties ?? {}) as JsonObject).map(
      ([name, field]) => [name, this.#write(field)] as const,
    )
    return {
      ...Object.fromEntries(written),
      ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    }
  }

  #add(title: string, schema: JsonObject): void {
    const known = this.components[title]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas have the title ${title}; rename one of them`)
    this.components[title] = schema
  }
}
