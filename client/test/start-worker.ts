/**
 * Runs the scenario in an edge runtime. The request body is the settings as JSON. Responds with a line for each
 * check.
 */
import { runScenario, type ScenarioSettings } from './scenario.ts'

const worker = {
  async fetch(request: Request): Promise<Response> {
    const lines = await runScenario((await request.json()) as ScenarioSettings)
    return new Response(lines.join('\n'))
  },
}

export { worker as default }
