/** The part of WebAssembly's JavaScript interface that the engine uses; TypeScript has it only among browser types. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBufferLike;
    grow(pages: number): number;
  }
  var Memory: { new (descriptor: { initial: number; maximum?: number; shared?: boolean }): Memory };

  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  var Module: { new (bytes: ArrayBufferView | ArrayBufferLike): Module };

  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  var Instance: { new (module: Module, imports?: Record<string, Record<string, unknown>>): Instance };
}
