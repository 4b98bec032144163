// SCATTER_ND of any layout: one thread per output element takes it from the input, or from the update that the map has
// for its place. It writes nothing when the status has a refusal; in place it writes only elements that change. Large
// tensors take several passes; each sees windows of them and skips elements outside its windows.
#include "../common.hlsli"

cbuffer constants : register(b0) {
  uint first_place;    // the first place in the map
  uint elements;       // of the output, from that place on, in the order of the dimensions below
  uint slice_size;     // elements at a place
  uint tuples;
  uint last_wins;      // what the marks in the map mean: scatter_nd_places.hlsl
  uint in_place;       // 1: the input is the output
  uint place_dims;
  uint slice_dims;
  uint tuple_dims;
  uint size_log2;      // of an element, in bytes
  uint input_begin;    // windows, in elements
  uint input_count;
  uint updates_begin;
  uint updates_count;
  uint output_begin;
  uint output_count;
  uint groups_x;       // of the dispatch
};
// From the last to the first. Place: size, input and output stride. Slice: those and the updates' stride. Tuple: size,
// updates' stride.
cbuffer layout : register(b1) {
  uint4 place[8];
  uint4 slice[8];
  uint4 tuple[8];
};

ByteAddressBuffer input : register(t0);
ByteAddressBuffer updates : register(t1);
ByteAddressBuffer map : register(t2);
ByteAddressBuffer status : register(t3);
RWStructuredBuffer<uint> output : register(u0);

#include "../store_element.hlsli"

[numthreads(256, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint g = group.y * groups_x + group.x;
  uint e = g * 256 + thread;
  uint2 refused = status.Load2(0);
  if (g <= (elements - 1) >> 8 && e < elements && refused.x == 0 && refused.y == 0) {
    uint p = e / slice_size;
    uint rest = e - p * slice_size;
    uint mark = map.Load(p * 4);
    p += first_place;
    if (mark != 0 || in_place == 0) {
      uint from = 0;
      uint to = 0;
      uint update = 0;
      for (uint s = 0; s < slice_dims; ++s) {
        uint slower = rest / slice[s].x;
        uint c = rest - slower * slice[s].x;
        from += c * slice[s].y;
        to += c * slice[s].z;
        update += c * slice[s].w;
        rest = slower;
      }
      for (uint k = 0; k < place_dims; ++k) {
        uint slower = p / place[k].x;
        uint c = p - slower * place[k].x;
        from += c * place[k].y;
        to += c * place[k].z;
        p = slower;
      }
      to -= output_begin;
      if (mark != 0) {
        uint t = last_wins == 1 ? mark - 1 : tuples - mark;
        for (uint d = 0; d < tuple_dims; ++d) {
          uint slower = t / tuple[d].x;
          update += (t - slower * tuple[d].x) * tuple[d].y;
          t = slower;
        }
        update -= updates_begin;
        if (to < output_count && update < updates_count) store_element(to, load_element(updates, size_log2, update));
      } else {
        from -= input_begin;
        if (to < output_count && from < input_count) store_element(to, load_element(input, size_log2, from));
      }
    }
  }
}
