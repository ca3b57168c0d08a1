import pjson from '../../package.json' with {type: 'json'}

export const SUMS = 'SHA256SUMS'
export const PROVENANCE = `cardctl-${pjson.version}.provenance.json`
export const ATTESTATION = `cardctl-${pjson.version}.intoto.jsonl`
