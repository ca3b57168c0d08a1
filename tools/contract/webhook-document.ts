import {type Contract, isNode, type Node, nodeOf} from './read-contract.ts'

/** The part of the contract that the calls to the client and their answers need, as an OpenAPI document of its own. */
export function webhookDocument({document}: Contract): Node {
  const components: Record<string, Record<string, unknown>> = {}
  const take = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(take)
    if (!isNode(value)) return
    const [, kind = '', name = ''] =
      /^#\/components\/(\w+)\/(\w+)$/.exec(typeof value.$ref === 'string' ? value.$ref : '') ?? []
    const target = nodeOf(nodeOf(document.components)[kind])[name]
    if (target !== undefined && components[kind]?.[name] === undefined) {
      components[kind] = {...components[kind], [name]: target}
      take(target)
    }
    Object.values(value).forEach(take)
  }
  const webhooks = nodeOf(document.webhooks)
  take(webhooks)
  const {basic, mutualTls} = nodeOf(nodeOf(document.components).securitySchemes)
  return {
    openapi: document.openapi,
    info: {
      ...nodeOf(document.info),
      title: 'Authorisation webhook',
      summary: 'The calls of a card issuing and payment service, and the answers of an endpoint',
      description: 'The service is the caller. The paths are below the URL of the endpoint, see x-path.',
    },
    webhooks,
    components: {...components, securitySchemes: {basic, mutualTls}},
  }
}

interface Code {
  readonly code: string
  readonly name?: string
  readonly meaning: string
}

/** The response codes with their names and meanings. */
export function responseCodes({components}: Contract): string {
  const codes = nodeOf(components.AuthResponseCode)['x-codes'] as readonly Code[]
  const line = (key: string, value: string) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`
  return [
    '/** Meanings of the response codes, for people. */',
    'export const responseCodes: Readonly<Record<string, string>> = {',
    ...codes.map(({code, meaning}) => line(code, meaning)),
    '}',
    '',
    '/** Names of response codes. A service or an endpoint may use the name or the code. */',
    'export const responseCodeNames: Readonly<Record<string, string>> = {',
    ...codes.flatMap(({code, name}) => (name === undefined ? [] : [line(name, code)])),
    '}',
    '',
  ].join('\n')
}
