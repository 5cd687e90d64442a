interface ScenarioResult {
  /** Messages per second of the gateway. */
  readonly ours: number
  /** Ratio to the bare variant, which publishes every message on its own. */
  readonly ratio: number
  /** Ratio to the bare variant that publishes messages in groups, as the pipeline does. */
  readonly toGrouped: { readonly ratio: number }
}

/** Returns one line about a short bench, from the line of JSON that ends its output. */
export function benchFigures(output: string): string {
  const line = output.split('\n').findLast((text) => text.startsWith('{"accept"'))
  if (line === undefined) throw new Error('the bench printed no figures')
  const { accept, pipeline } = JSON.parse(line) as Record<'accept' | 'pipeline', ScenarioResult>
  return (
    `accept ${perSecond(accept)}, ${accept.ratio.toFixed(2)} of bare; ` +
    `pipeline ${perSecond(pipeline)}, ${pipeline.toGrouped.ratio.toFixed(2)} of grouped`
  )
}

function perSecond({ ours }: ScenarioResult): string {
  return `${Math.round(ours).toLocaleString('en-US')}/s`
}
