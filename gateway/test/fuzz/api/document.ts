// Rewrites the OpenAPI document for schemathesis: the body of a link is the complete body. By default
// schemathesis merges it with a generated one; then hardly any send would be accepted, and operations after
// it would not be tested.

interface ResponseWithLinks {
  readonly links?: Readonly<Record<string, Record<string, unknown>>>
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Record<string, ResponseWithLinks> }>>>
  >
}

export function forStateful(text: string): string {
  const document = JSON.parse(text) as Document
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) {
      for (const { links = {} } of Object.values(operation.responses)) {
        for (const link of Object.values(links)) {
          if (link.requestBody !== undefined) link['x-schemathesis'] = { merge_body: false }
        }
      }
    }
  }
  return JSON.stringify(document)
}
