// The one module of kernels: what is exported here is what TypeScript can call.
export function version(): u32 { return 1; }
