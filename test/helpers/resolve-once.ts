// A command loads most of its modules when it needs them, so a worker resolves the same few hundred names thousands of
// times, and the test runner's hook asks its main process about each.
import {type ResolveFnOutput, registerHooks} from 'node:module'

const resolved = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const {parentURL} = context
    if (parentURL === undefined || !parentURL.includes('/src/')) return next(specifier, context)
    const key = `${specifier} ${parentURL} ${context.conditions} ${JSON.stringify(context.importAttributes)}`
    const known = resolved.get(key)
    if (known !== undefined) return {...known, shortCircuit: true}
    const found = next(specifier, context)
    resolved.set(key, found)
    return found
  },
})
