export const ref = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` })

export const refName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
