/** A reference to a schema that schemas.ts names. */
export const ref = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` })

/** The name that a reference ends with. */
export const refName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
