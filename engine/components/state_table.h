#pragma once
// The replicated state of an entity type as a table: which columns there are, how each is rounded, and its bits on the wire.
//
// Columns: the entity's place (the number of its parent, its position and rotation in the parent's frame), unless a component has a
// state with the field "position", which then is the place; after that each field of each component's state. With a NetworkTransform its
// state alone is the place, and a Body's is left out. A column is some 32-bit
// words, compared word by word: two ends agree on a column if its words are the same.
//
// Record: a bit a column that says whether it is there (beyond eight columns each eight of them come behind one bit that says whether
// any is), then the words of those. Per word, by the field's type:
//   bool                       1 bit
//   one of n choices           as many bits as n - 1 has
//   number with a resolution   the number of steps, sign in the lowest bit, in short form: its length (5 or 6 bits), then all but its highest bit
//   integers                   the same, with steps of 1; 64-bit ones as two exact words
//   other numbers              1 bit whether it is not zero, then 32 bits
//   entity                     its number on the wire in short form
//   text                       10 bits for its length in bytes (at most 512), then these
//   rotation of the place      smallest three: 2 bits for the largest element, 12 for each of the others
// Rounding before comparing: Glenn Fiedler, "Snapshot Compression", 2015.

#include "engine/components/network_table.h"
#include "engine/entity/entity.h"
#include "engine/entity/entity_type.h"

#include <memory>
#include <span>
#include <vector>

namespace sbx {

// Purpose: made once for each entity type, on each end of a connection from the same definitions. Immutable; used on the session's thread.
class StateTable {
public:
    static constexpr std::size_t MaxColumns = 256;   // of a type; fields beyond them are not replicated
    static constexpr double PlaceResolution = 0.001; // m
    using Words = std::vector<std::uint32_t>;
    using Mask = std::vector<std::uint8_t>; // one a column, 0 or 1

    explicit StateTable(const std::shared_ptr<const EntityType>& type);

    // Made of that type: its address alone does not show it.
    [[nodiscard]] bool isOf(const std::shared_ptr<const EntityType>& type) const;
    [[nodiscard]] std::size_t columnCount() const { return m_columns.size(); }
    [[nodiscard]] std::size_t wordCount() const { return m_wordCount; }
    // "Health.current"; "position".
    [[nodiscard]] std::string columnName(std::size_t column) const;
    // The words of a column among all words.
    [[nodiscard]] std::span<const std::uint32_t> wordsOf(std::size_t column,
                                                         std::span<const std::uint32_t> all) const {
        return all.subspan(m_columns[column].firstWord, m_columns[column].words);
    }
    // The same words; of the place's rotation also those of the same rotation in another form.
    [[nodiscard]] bool same(std::size_t column, std::span<const std::uint32_t> a,
                            std::span<const std::uint32_t> b) const;

    // By how much the words of a column differ, in units of its field, elements by the one that does most; of the place's rotation in degrees.
    // Infinite: they differ, and are no numbers.
    [[nodiscard]] double difference(std::size_t column, std::span<const std::uint32_t> a,
                                    std::span<const std::uint32_t> b) const;
    // ... as much of it as rounding both makes.
    [[nodiscard]] double blurOf(std::size_t column) const;
    // Only for the client whose player the entity is.
    [[nodiscard]] bool isOwnerOnly(std::size_t column) const;
    // Whether a client's player has it from what the client did itself, too: all but what NetworkTransform has received.
    [[nodiscard]] bool isPredicted(std::size_t column) const;
    // A speed: its unit is one "per second".
    [[nodiscard]] bool isRate(std::size_t column) const;
    // Changes the words of a column in `at` by that part of the way from `from` to `to`, within the range of the field. What is no number becomes `to`,
    // and so, with the whole way, does what is at `from`: without rounding.
    void shift(std::size_t column, std::span<const std::uint32_t> from, std::span<const std::uint32_t> to, double part,
               std::span<std::uint32_t> at) const;

    // The entity's state, rounded, into wordCount() words. What is no number is 0, what is out of range at its end.
    void capture(const Entity& entity, const World& world, const EntityToWire& toWire,
                 std::span<std::uint32_t> words) const;
    // The columns of the mask.
    void write(net::BitWriter& out, std::span<const std::uint8_t> mask,
               std::span<const std::uint32_t> words) const;
    // Reads a record: its mask, and the words of those columns; others stay. False: it is no record of this type; then some words may have
    // changed.
    [[nodiscard]] bool read(net::BitReader& in, std::span<std::uint8_t> mask,
                            std::span<std::uint32_t> words) const;
    // Whether the words of these columns are values that this world can hold.
    [[nodiscard]] bool isValid(std::span<const std::uint8_t> mask, std::span<const std::uint32_t> words,
                               const EntityFromWire& fromWire) const;
    // Makes the entity's state these words, as far as the columns are in the mask and its own rounded state has others. Words must be valid.
    // Handlers run, and may remove the entity. `scratch`: wordCount() words. Returns whether anything had to be changed.
    bool apply(World& world, EntityId id, std::span<const std::uint8_t> mask,
               std::span<const std::uint32_t> words, const EntityToWire& toWire,
               const EntityFromWire& fromWire, std::span<std::uint32_t> scratch) const;

private:
    enum class Form : std::uint8_t { Flag, Choice, Signed, Unsigned, Exact, String, Rotation };
    struct Column {
        const FieldInfo* field = nullptr; // null: of the place
        std::uint16_t part = 0; // which of the type's layout; of the place: 0 parent, 1 position, 2 rotation
        std::uint16_t firstWord = 0;
        std::uint16_t words = 1;
        Form form = Form::Exact;
        std::uint8_t bits = 0; // of a choice; of the length of a short form
        double step = 0.0;     // 0: not rounded
    };

    void add(Column column);
    void addField(std::uint16_t part, const FieldInfo& field);
    static void captureField(const Column& column, const void* object, const EntityToWire& toWire,
                             std::uint32_t* words);
    [[nodiscard]] Value valueOf(const Column& column, const std::uint32_t* words,
                                const EntityFromWire& fromWire) const;
    void applyPlace(World& world, EntityId id, std::span<const std::uint32_t> words,
                    const EntityFromWire& fromWire) const;
    // Whether its words are numbers that can be added.
    [[nodiscard]] static bool isNumber(const Column& column);
    [[nodiscard]] static bool isDouble(const Column& column);
    [[nodiscard]] static double elementOf(const Column& column, const std::uint32_t* words, std::size_t element);
    void writeWords(net::BitWriter& out, const Column& column, const std::uint32_t* words) const;
    [[nodiscard]] bool readWords(net::BitReader& in, const Column& column, std::uint32_t* words) const;
    // Calls visit(part of the layout, component) for each component of the type that the entity has.
    template <typename Visit> void eachPart(const Entity& entity, const Visit& visit) const;

    std::weak_ptr<const EntityType> m_type;
    std::string m_typeName;
    std::vector<const ComponentType*> m_parts; // of the layout
    std::vector<Column> m_columns;
    std::size_t m_wordCount = 0;
    bool m_placed = true; // the first three columns are the place
};

} // namespace sbx
