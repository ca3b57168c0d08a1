/** A document whose schemas all refer to each other, 2.6 kB for each, or as much as their sentences make it. */
export function cyclicDocument(count: number, sentences = 65): object {
  const to = (at: number) => ({$ref: `#/components/schemas/S${at % count}`})
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, unknown> = {}
  for (let at = 0; at < count; at++) {
    schemas[`S${at}`] = {
      type: 'object',
      description: `The thing ${at}. ${'It is described at length. '.repeat(sentences)}`,
      required: ['id'],
      properties: {
        id: {type: 'string', pattern: '^[a-z0-9]+$'},
        next: to(at + 1),
        back: to(at + count - 1),
        far: to(at * 7 + 3),
        list: {type: 'array', items: {anyOf: [to(at * 3 + 1), to(at * 5 + 2)]}},
        map: {type: 'object', additionalProperties: to(at + 11)},
        state: {type: 'string', enum: Array.from({length: 20}, (_, one) => `VALUE_${one}`)},
      },
    }
    const content = {'application/json': {schema: to(at)}}
    const operation = {
      operationId: `getThing${at}`,
      tags: [`tag${at % 40}`],
      responses: {200: {description: 'It', content}},
    }
    const path = `/things${Math.floor(at / 2)}/{id}`
    const parameters = [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}]
    paths[path] = {
      parameters,
      ...(paths[path] as object | undefined),
      [at % 2 === 0 ? 'get' : 'post']: at % 2 === 0 ? operation : {...operation, requestBody: {content}},
    }
  }
  return {openapi: '3.1.0', info: {title: 'Cycles', version: '1'}, paths, components: {schemas}}
}
