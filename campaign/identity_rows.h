// An identity as a store keeps it: keys and values.
#pragma once

#include "campaign/identity.h"

#include <map>
#include <optional>
#include <string>

namespace thinair::campaign {

using IdentityRows = std::map<std::string, std::string>;

/// Names, seed, profile: all that every store has.
IdentityRows identity_rows(const Identity& identity);

/// What is known of the contents; a store of an earlier program has none of these.
IdentityRows content_rows(const Contents& contents);

/// Absent where something is missing, or cannot be.
std::optional<Identity> identity_of(const IdentityRows& rows);

/// Throws InputError where the directory's campaign is another one.
void require_same(const IdentityRows& stored, const Identity& identity,
                  const std::string& directory);

} // namespace thinair::campaign
